#include "kube/client/reach_watch.h"

#include <utility>

#include "base/log.h"

namespace basalt::kube {
namespace {

// A person that has just started the process should read the complaint within two seconds.
constexpr Duration kPatience = 1500ms;
constexpr Duration kSayAgain = 60s;

}  // namespace

ReachWatch::ReachWatch(ApiClient& api, std::string server)
    : api_(api), server_(std::move(server)), random_(1), backoff_(500ms, 10s), retry_(api.loop()) {}

void ReachWatch::Ask() {
  api_.Send({.path = "/version", .timeout = kPatience},
            scope_.Guard([this](const Result<ApiResponse>& response) { Answered(response); }));
}

void ReachWatch::Answered(const Result<ApiResponse>& response) {
  reached_ = response || response.error().http_status != 0;
  if (reached_) {
    if (complaints_ > 0) log::Info("reached the API server", {{"server", server_}});
    return;
  }
  const Duration now = api_.loop().Monotonic();
  if (complaints_ == 0 || now - last_complaint_ >= kSayAgain) {
    ++complaints_;
    last_complaint_ = now;
    log::Warning("cannot reach the API server; trying again",
                 {{"server", server_}, {"error", response.error().message}});
  }
  retry_.Start(backoff_.Next(random_), [this] { Ask(); });
}

}  // namespace basalt::kube
