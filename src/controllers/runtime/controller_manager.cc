#include "controllers/runtime/controller_manager.h"

#include <algorithm>
#include <utility>

namespace basalt::controllers {

ControllerManager::Term::Term(kube::ApiClient& api, std::function<bool()> may_write,
                              const ControllerManagerOptions& options, const Build& build)
    : gate(api, std::move(may_write)),
      client(gate, options.client),
      events(client, options.events),
      controllers(build(client, events)) {}

ControllerManager::ControllerManager(kube::ApiClient& api, ControllerManagerOptions options,
                                     Build build)
    : api_(api), options_(std::move(options)), build_(std::move(build)) {
  if (!options_.election) return;
  kube::Leadership::Callbacks callbacks{.on_started_leading = [this] { Lead(); },
                                        .on_stopped_leading = [this] { term_.reset(); },
                                        .on_new_leader = {}};
  elector_ = options_.elect ? options_.elect(*options_.election, std::move(callbacks))
                            : std::make_unique<kube::LeaderElector>(api_, *options_.election,
                                                                    std::move(callbacks));
}

void ControllerManager::Start() { elector_ ? elector_->Start() : Lead(); }

void ControllerManager::Lead() {
  term_ = std::make_unique<Term>(
      api_, [this] { return !elector_ || elector_->IsLeader(); }, options_, build_);
  for (const auto& controller : term_->controllers) controller->Start();
}

void ControllerManager::Stop(Callback done) {
  term_.reset();
  if (elector_) {
    elector_->Release(std::move(done));
  } else {
    done();
  }
}

bool ControllerManager::ready() const {
  if (!term_) return elector_ && !elector_->leader().empty() && !elector_->IsLeader();
  return std::ranges::all_of(term_->controllers,
                             [](const auto& controller) { return controller->HasSynced(); });
}

}  // namespace basalt::controllers
