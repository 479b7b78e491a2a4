#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/loop.h"
#include "controllers/runtime/controller.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/client/leader_elector.h"
#include "kube/client/write_gate.h"

namespace basalt::controllers {

struct ControllerManagerOptions {
  kube::ClientOptions client;  // of what the controllers write and read
  kube::EventRecorderOptions events{.component = "vc-controller-manager"};
  // Nothing: it leads from the start, alone.
  std::optional<kube::LeaderElectorOptions> election;
  // Makes the elector that takes part in the election for it; nothing: one on its own loop and
  // client.
  kube::Elect elect;
};

// Runs controllers while this process leads. Each term of leadership has controllers and a client
// of its own: when the lease is lost they go, and with them what they had not sent yet. A process
// that hung may act before it hears of that; each write asks the lease's own clock. What was sent
// may still arrive; every write of a controller is therefore one that may come late or twice
// (creations under a fixed name, changes with the version or the uid that they are about).
//
// Owned by the controllers' role; `api` must outlive it. Loop thread only.
class ControllerManager {
 public:
  using Controllers = std::vector<std::unique_ptr<Controller>>;
  using Build = std::function<Controllers(kube::Client& client, kube::EventRecorder& events)>;

  ControllerManager(kube::ApiClient& api, ControllerManagerOptions options, Build build);

  void Start();
  // Writes nothing more, gives the lease back and then calls `done`.
  void Stop(Callback done);

  bool leads() const { return term_ != nullptr; }
  // Its controllers have synced, or another process leads.
  bool ready() const;

 private:
  struct Term {
    Term(kube::ApiClient& api, std::function<bool()> may_write,
         const ControllerManagerOptions& options, const Build& build);
    kube::WriteGate gate;
    kube::Client client;
    kube::EventRecorder events;
    Controllers controllers;
  };
  void Lead();

  kube::ApiClient& api_;
  const ControllerManagerOptions options_;
  const Build build_;
  std::unique_ptr<Term> term_;
  std::unique_ptr<kube::Leadership> elector_;
};

}  // namespace basalt::controllers
