#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduler/framework/job_queues.h"
#include "scheduler/framework/session.h"
#include "testing/model/test_cluster.h"

// Sessions whose one plugin says what the test wants, in cycles that end when it wants.
namespace basalt::scheduler {

// What the plugin of these tests says; the test writes it.
struct Opinions {
  std::set<std::string> invalid, not_ready, starving, overused;
  std::string condition;  // of every active job
  std::string reason = "R";
  std::optional<Time> changes_at;
  std::vector<std::string> entered;  // the jobs of which it was told
};
inline Opinions* opinions = nullptr;

class Opinionated final : public Plugin,
                          public JobValidator,
                          public JobReadiness,
                          public JobStarvation,
                          public QueueOveruse,
                          public TimeDependent,
                          public EnqueueObserver,
                          public BindPlanner,
                          public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }
  void Close(StatusSink& sink) override {
    if (opinions->condition.empty()) return;
    for (const Job* job : view_->ActiveJobs()) {
      sink.SetCondition(
          *job,
          {.type = "Unschedulable", .reason = opinions->reason, .message = opinions->condition});
    }
  }
  Verdict ValidateJob(const Job& job) const override {
    return opinions->invalid.contains(job.name) ? Verdict::Unschedulable("invalid") : Verdict::Ok();
  }
  bool IsJobReady(const Job& job) const override { return !opinions->not_ready.contains(job.name); }
  bool IsJobStarving(const Job& job) const override {
    return opinions->starving.contains(job.name);
  }
  bool IsOverused(const Queue& queue) const override {
    return opinions->overused.contains(queue.name);
  }
  std::optional<Time> ChangesAt(const Job&) const override { return opinions->changes_at; }
  std::int64_t KindOf(const Job&) const override { return 0; }
  void JobEnqueued(const Job& job) override { opinions->entered.push_back(job.name); }
  void JobTakenBack(const Job& job) override { std::erase(opinions->entered, job.name); }
  void PlanBind(const Task& task, model::Bind* bind) const override {
    bind->volumes.push_back({.claim = "of " + task.name()});
  }
  std::vector<std::string> ReadsFromPod() const override { return {"example.com/policy"}; }

 private:
  const SessionView* view_ = nullptr;
};

inline const PluginRegistry kOpinionated{
    {{"opinions", []() -> std::unique_ptr<Plugin> { return std::make_unique<Opinionated>(); }}}};

// Statements of one operation.
inline void LetIn(Session& session, const Job& job) {
  Statement entry(session);
  entry.Enter(job.id);
  entry.Commit();
}
inline void Ungate(Session& session, const Task& task) {
  Statement statement(session);
  statement.Ungate(task.id);
  statement.Commit();
}

// A cycle that ends when the test wants.
class Host final : public CycleHost {
 public:
  std::uint64_t cycle() const override { return 7; }
  void SendOut(std::vector<model::Intent> intents) override { sent.push_back(intents.size()); }
  bool TimeIsLeft(std::string_view ns) override {
    asked.emplace_back(ns);
    return time_left;
  }
  bool HasShare(std::string_view ns) const override { return ns != greedy; }
  bool HadTurn(model::JobId job) const override { return had_turn.contains(job); }

  std::vector<std::size_t> sent;
  std::vector<std::string> asked;
  bool time_left = true;
  std::string greedy;
  std::set<model::JobId> had_turn;
};

class SessionCycleTest : public testing::Test {
 protected:
  SessionCycleTest() {
    opinions = &opinions_;
    given_.Add(testutil::MakeQueue("q")).Add(testutil::MakeQueue("r"));
    given_.Add(testutil::MakeNode("n1", {{"cpu", "8"}}));
    UseActions({"allocate"});
  }
  ~SessionCycleTest() override { opinions = nullptr; }
  void UseActions(std::vector<std::string> actions) {
    Config config = testutil::OneTier({"opinions"});
    config.actions = std::move(actions);
    plugins_ = testutil::MakePlugins(std::move(config), kOpinionated);
  }
  // A job of one pod that waits.
  const model::Job& AddWaiting(const std::string& name, const std::string& queue = "q",
                               const char* cpu = "1", const std::string& ns = "ns") {
    kube::PodGroup group = testutil::MakeGroup(name, queue, 1);
    group.meta.ns = ns;
    group.meta.creation_timestamp = testutil::kTestNow - 1h + std::chrono::seconds(made_++);
    given_.Add(std::move(group));
    kube::Pod pod = testutil::MakePod(name + "-0", name, {{"cpu", cpu}});
    pod.meta.ns = ns;
    pod.meta.creation_timestamp = testutil::kTestNow - 1h;
    given_.Add(std::move(pod));
    return *given_.cluster.FindJob(ns, name);
  }
  std::unique_ptr<Session> Open(Time now = testutil::kTestNow) {
    return std::make_unique<Session>(given_.cluster, *plugins_, now, nullptr, &host_);
  }
  // A session in which the job is looked at, and waits for this.
  void ParkFor(const model::Job& job, const model::Waits& waits) {
    const auto session = Open();
    session->Needs(job, waits);
    session->Close();
  }
  // The jobs have their turns; `serve` as in ServeByTurns.
  static void Serve(Session& session, const std::vector<const Job*>& jobs,
                    const std::function<bool(const Job& job)>& serve,
                    Attempts attempts = Attempts::kPlace) {
    JobQueues queues(session, attempts);
    for (const Job* job : jobs) queues.Add(*job);
    queues.ServeByTurns(serve);
  }
  void Place(Session& session, const std::string& pod) {
    Statement statement(session);
    statement.Allocate(given_.task(pod).id, given_.node("n1").id);
    statement.Commit();
  }
  std::vector<std::string> Active() {
    std::vector<std::string> names;
    for (const model::JobId id : given_.cluster.active_jobs()) {
      names.push_back(given_.cluster.job(id).name);
    }
    return names;
  }
  template <class T>
  static std::vector<const T*> Said(Session& session) {
    std::vector<const T*> said;
    for (const model::Intent& intent : session.intents()) {
      if (const T* one = std::get_if<T>(&intent)) said.push_back(one);
    }
    return said;
  }

  Opinions opinions_;
  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  Host host_;
  int made_ = 0;
};

}  // namespace basalt::scheduler
