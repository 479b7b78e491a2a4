#include "cli/shadow_role.h"

#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "base/log.h"
#include "cli/atomic_file.h"
#include "kube/client/config_follower.h"
#include "scheduler/shadow/shadow.h"

namespace basalt::cli {
namespace {

constexpr Duration kReportEvery = 5s;

class ShadowRole final : public Role {
 public:
  ShadowRole(RoleContext& context, scheduler::SchedulerServiceOptions options, std::string report)
      : shadow_(context.loop, context.client.api(), std::move(options)),
        report_(std::move(report)),
        timer_(context.loop) {}

  // The file's configuration, and what becomes of it.
  Result<void> Follow(const std::string& path) {
    Result<std::string> text = kube::ReadConfigFile(path);
    if (!text) return std::unexpected(text.error());
    if (auto ok = shadow_.service().Configure(*text); !ok) {
      return std::unexpected(ok.error().Wrap(path));
    }
    follower_.emplace(shadow_.client().loop(), path, [this](const Result<std::string>& changed) {
      const Result<void> loaded = changed ? shadow_.service().Configure(*changed)
                                          : Result<void>(std::unexpected(changed.error()));
      if (loaded) return;
      log::Error("the configuration is refused; the last good one stays in force",
                 {{"error", loaded.error().message}});
    });
    follower_->Start(std::move(text));
    return {};
  }

  std::string name() const override { return "scheduler"; }
  void Start() override {
    log::Info("looking on: nothing is written to the cluster", {{"report", report_}});
    shadow_.Start();
    Write();
  }
  bool ready() const override { return shadow_.service().ready(); }
  void Stop(Callback done) override {
    timer_.Stop();
    shadow_.Stop([this, done = std::move(done)]() mutable {
      Save();
      done();
    });
  }
  void CollectMetrics() override { shadow_.service().CollectMetrics(); }
  bool elects_itself() const override { return true; }  // that is, it does not: another leads

 private:
  void Write() {
    Save();
    timer_.Start(kReportEvery, [this] { Write(); });
  }
  void Save() {
    const auto saved = WritePrivateFile(report_, boost::json::serialize(shadow_.Report()) + "\n");
    if (saved || complained_) return;
    complained_ = true;
    log::Warning("the report cannot be written", {{"error", saved.error().message}});
  }

  scheduler::Shadow shadow_;
  const std::string report_;
  bool complained_ = false;
  std::optional<kube::ConfigFollower> follower_;
  Timer timer_;
};

}  // namespace

Result<std::unique_ptr<Role>> BuildShadow(RoleContext& context,
                                          scheduler::SchedulerServiceOptions options,
                                          const SchedulerFlags& flags) {
  auto role = std::make_unique<ShadowRole>(context, std::move(options), flags.shadow_report);
  if (!flags.conf.empty()) {
    if (auto ok = role->Follow(flags.conf); !ok) {
      return std::unexpected(ok.error().Wrap("--scheduler-conf"));
    }
  }
  return role;
}

}  // namespace basalt::cli
