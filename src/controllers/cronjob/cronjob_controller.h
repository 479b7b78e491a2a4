#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/async_join.h"
#include "base/work_queue.h"
#include "controllers/cronjob/cron_plan.h"
#include "controllers/runtime/controller.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/informer/informer.h"
#include "kube/types/vccronjob.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// Makes Volcano jobs at the times of a schedule, and tidies up those that have ended (contract
// C12.14). A job's name is its time, so that none is made twice even when a controller dies in
// between. What is due and what goes is decided in cron_plan.h. Owned by a ControllerManager; loop
// thread only.
class CronJobController final : public Controller {
 public:
  CronJobController(kube::Client& client, kube::EventRecorder& events);

  std::string_view name() const override { return "cronjob"; }
  void Start() override;
  bool HasSynced() const override { return crons_.HasSynced() && jobs_.HasSynced(); }

 private:
  using CronPtr = std::shared_ptr<const kube::VcCronJob>;
  struct Turn;
  using TurnPtr = std::shared_ptr<Turn>;
  // What is remembered of one between looks at it.
  struct Memory {
    std::string uid;
    std::optional<Time> changed;    // its schedule
    std::optional<Time> forbidden;  // the last time that was said to be
    Duration wakes_at{-1};
  };

  void OnCron(const kube::InformerEvent<kube::VcCronJob>& event);
  void OnJob(const kube::InformerEvent<kube::VcJob>& event);
  void LookAtAll();
  void Reconcile(const std::string& key, WorkQueue::Done done);
  void TidyUp(const TurnPtr& turn);
  // Makes the job that is due, if one is and may be made, and ends the turn.
  void Schedule(const TurnPtr& turn);
  void MakeJob(const TurnPtr& turn, Time due);
  void WriteStatus(const TurnPtr& turn);
  void DeleteJob(const TurnPtr& turn, const kube::VcJob& job, std::string_view reason,
                 const AsyncJoin& join);
  void Wake(const std::string& key, Memory& memory, Duration delay);
  void Say(const kube::VcCronJob& cron, kube::EventType type, std::string_view reason,
           std::string_view message);

  kube::Client& client_;
  kube::EventRecorder& events_;
  boost::unordered_flat_map<std::string, Memory> memories_;  // by key
  kube::Informer<kube::VcCronJob> crons_;
  kube::Informer<kube::VcJob> jobs_;
  WorkQueue work_;
  Scope scope_;
};

}  // namespace basalt::controllers
