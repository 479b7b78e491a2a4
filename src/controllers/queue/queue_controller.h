#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/async_join.h"
#include "base/work_queue.h"
#include "controllers/queue/queue_state.h"
#include "controllers/runtime/controller.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/informer/informer.h"
#include "kube/types/command.h"
#include "kube/types/scheduling.h"

namespace basalt::controllers {

struct QueueControllerOptions {
  std::string default_queue = "default";
};

// Opens and closes queues: by Command (bus.volcano.sh), with their parents, and when their last job
// has gone. Makes the root and the default queue where they are missing, gives queues without a
// parent the root as such, and keeps a queue that is deleted until it has neither children nor
// jobs. Of a queue's status it writes `state` alone; the counts and what is allocated are the
// scheduler's, which also knows the shadow groups: a queue has jobs as long as either says so.
//
// Which state follows is in queue_state.h. Owned by a ControllerManager; loop thread only.
// Counterpart: Volcano's queue controller.
class QueueController final : public Controller {
 public:
  QueueController(kube::Client& client, kube::EventRecorder& events,
                  QueueControllerOptions options = {});

  std::string_view name() const override { return "queue"; }
  void Start() override;
  bool HasSynced() const override;

 private:
  using QueuePtr = std::shared_ptr<const kube::Queue>;

  void OnQueue(const kube::InformerEvent<kube::Queue>& event);
  void OnGroup(const kube::InformerEvent<kube::PodGroup>& event);
  void OnCommand(const kube::InformerEvent<kube::Command>& event);
  void LookAtAll();

  void Reconcile(const std::string& name, WorkQueue::Done done);
  void MakeQueue(const std::string& name, const AsyncJoin& join);
  void Write(const kube::Queue& queue, const QueueChange& change, const AsyncJoin& join);
  // Its parent and its finalizer.
  void CompleteObject(const QueueFacts& facts, const AsyncJoin& join);

  void Obey(const std::string& key, WorkQueue::Done done);
  void DropCommand(const kube::Command& command, const AsyncJoin& join);

  std::string QueueOf(const kube::PodGroup& group) const;
  bool IsBuiltIn(std::string_view name) const;
  QueueFacts FactsOf(const kube::Queue& queue) const;
  bool HasChildren(const kube::Queue& queue) const;

  kube::Client& client_;
  kube::EventRecorder& events_;
  const QueueControllerOptions options_;
  kube::Informer<kube::Queue> queues_;
  kube::Informer<kube::PodGroup> groups_;
  kube::Informer<kube::Command> commands_;
  WorkQueue work_;
  WorkQueue command_work_;
  Scope scope_;
};

}  // namespace basalt::controllers
