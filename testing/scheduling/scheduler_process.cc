#include "testing/scheduling/scheduler_process.h"

#include <fmt/core.h>

#include <utility>

#include "base/check.h"
#include "testing/seeds.h"
#include "testing/test_signer.h"

namespace basalt::testutil {

FatalWrites::FatalWrites(DirectApiClient& api, std::optional<Death> death,
                         std::function<void()> on_death)
    : api_(api), death_(death), on_death_(std::move(on_death)) {}

void FatalWrites::Send(kube::ApiRequest request, kube::ApiHandler handler) {
  const bool counts = request.method != "GET" && request.path.find("/leases") == std::string::npos;
  if (counts) ++writes_;
  if (counts && OneSeedOnly()) {
    fmt::print("{} ms: {} {} {}{}\n", loop().Monotonic() / 1ms, request.method, request.path,
               request.body, api_.crashed() ? " (after its death)" : "");
  }
  const bool fatal = counts && death_ && death_->write == writes_ && !api_.crashed();
  if (fatal && !death_->after) api_.Crash();
  api_.Send(std::move(request), std::move(handler));
  if (!fatal) return;
  api_.Crash();
  // The process is still on the stack: it goes when that is empty. Nothing of it goes out
  // meanwhile.
  api_.loop().Post([dead = on_death_] { dead(); });
}

std::unique_ptr<kube::WatchStream> FatalWrites::Watch(kube::ApiRequest request,
                                                      kube::WatchObserver& observer) {
  return api_.Watch(std::move(request), observer);
}

SchedulerProcess::Recording::Recording(Loop& real_loop, kube::ApiClient& real_api,
                                       std::ostream& out, const std::string& config)
    : recorder(out), loop(real_loop, recorder), api(real_api, loop, recorder) {
  recorder.Note("config", config);
}

namespace {

// All processes of a test have the same key, as those of a cluster do, and right books.
scheduler::SchedulerServiceOptions ForTest(scheduler::SchedulerServiceOptions options) {
  if (!options.signer) options.signer = SharedTestSigner();
  options.scheduler.after_action = &scheduler::CheckLedgersAfter;
  return options;
}

}  // namespace

SchedulerProcess::SchedulerProcess(DirectNetwork& network,
                                   scheduler::SchedulerServiceOptions options,
                                   const std::string& config, std::optional<Death> death,
                                   std::function<void()> on_death, std::ostream* record)
    : api_(network),
      writes_(api_, death, std::move(on_death)),
      recording_(record ? std::make_unique<Recording>(network.loop(), writes_, *record, config)
                        : nullptr),
      client_(recording_ ? static_cast<kube::ApiClient&>(recording_->api) : writes_),
      service_(std::make_unique<scheduler::SchedulerService>(
          recording_ ? static_cast<Loop&>(recording_->loop) : network.loop(), client_,
          ForTest(std::move(options)))) {
  const Result<void> configured = service_->Configure(config);
  BASALT_CHECK(configured.has_value());
  service_->Start();
}

SchedulerProcess::~SchedulerProcess() { api_.Crash(); }

}  // namespace basalt::testutil
