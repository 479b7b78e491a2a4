#include "kube/client/remote_elector.h"

#include <utility>

namespace basalt::kube {

RemoteElector::RemoteElector(Loop& home, ApiClient& api, RunThere run_there,
                             LeaderElectorOptions options, Callbacks callbacks)
    : home_(home),
      there_(api.loop()),
      run_there_(std::move(run_there)),
      callbacks_(std::move(callbacks)) {
  // Guards are made here: a Scope belongs to one thread.
  Callbacks announcing = Announcing();
  run_there_([&] {
    elector_ = std::make_unique<LeaderElector>(api, std::move(options), std::move(announcing));
  });
}

RemoteElector::~RemoteElector() {
  at_home_.Reset();
  run_there_([this] { elector_.reset(); });
}

// What the elector calls on its own loop: the term first, then word to the role.
Leadership::Callbacks RemoteElector::Announcing() {
  auto started = at_home_.Guard([this](std::uint64_t term) {
    heard_of_ = term;
    if (callbacks_.on_started_leading) callbacks_.on_started_leading();
  });
  auto stopped = at_home_.Guard([this] {
    heard_of_ = kNoTerm;
    if (callbacks_.on_stopped_leading) callbacks_.on_stopped_leading();
  });
  auto new_leader = at_home_.Guard([this](const std::string& identity) {
    leader_ = identity;
    if (callbacks_.on_new_leader) callbacks_.on_new_leader(identity);
  });
  return {.on_started_leading =
              [this, started] {
                term_ = ++terms_;
                home_.Post([started, term = terms_]() mutable { started(term); });
              },
          .on_stopped_leading =
              [this, stopped] {
                term_ = kNoTerm;
                home_.Post([stopped]() mutable { stopped(); });
              },
          .on_new_leader =
              [this, new_leader](const std::string& identity) {
                home_.Post([new_leader, identity]() mutable { new_leader(identity); });
              }};
}

void RemoteElector::Start() {
  there_.Post([this] { elector_->Start(); });
}

void RemoteElector::Release(std::move_only_function<void()> done) {
  there_.Post([this, done = Callback(at_home_.Guard(std::move(done)))]() mutable {
    elector_->Release([this, done = std::move(done)]() mutable { home_.Post(std::move(done)); });
  });
}

bool RemoteElector::IsLeader() const {
  return heard_of_ != kNoTerm && heard_of_ == term_ && elector_->IsLeader();
}

}  // namespace basalt::kube
