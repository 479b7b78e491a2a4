#include "workloads/job_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "base/random.h"
#include "workloads/index_set.h"

namespace basalt::workloads {
namespace {

constexpr Time kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// A Job and its pods, to which plans are applied as a controller and an API server would.
class Model {
 public:
  kube::Job job;
  std::map<std::string, kube::Pod> pods;
  Time now = kBegin;
  int made = 0;

  JobPlan Plan() const {
    std::vector<const kube::Pod*> all;
    for (const auto& [name, pod] : pods) all.push_back(&pod);
    return PlanJob(job, all, now);
  }

  // True: something was done.
  bool Sync() {
    const JobPlan plan = Plan();
    if (plan.status_changed) Store(plan.status);
    for (const kube::Pod* pod : plan.release) Release(pod->meta.name);
    for (const kube::Pod* pod : std::vector(plan.remove)) Delete(pod->meta.name);
    for (int i = 0; i < plan.create; ++i) Create(plan, i);
    return plan.status_changed || !plan.release.empty() || !plan.remove.empty() || plan.create > 0;
  }
  void Settle() {
    for (int i = 0; Sync(); ++i) ASSERT_LT(i, 100) << "never settles";
  }

  void End(const std::string& name, kube::PodPhase phase) {
    pods.at(name).status.phase = phase;
    pods.at(name).status.container_statuses = {
        {.state = {.kind = kube::ContainerState::Kind::kTerminated, .finished_at = now}}};
  }
  void Delete(const std::string& name) {
    kube::Pod& pod = pods.at(name);
    pod.meta.deletion_timestamp = now;
    if (!pod.meta.HasFinalizer(kJobFinalizer)) pods.erase(name);
  }
  std::vector<std::string> Active() const {
    std::vector<std::string> names;
    for (const auto& [name, pod] : pods) {
      if (!pod.terminal() && !pod.meta.deleting()) names.push_back(name);
    }
    return names;
  }
  std::string Condition(std::string_view type) const {
    const kube::Condition* found = kube::FindCondition(job.conditions, type);
    if (found == nullptr) return "";
    return found->status == kube::ConditionStatus::kTrue ? found->reason : "False";
  }

 private:
  void Store(const JobStatus& status) {
    job.active = status.active;
    job.ready = status.ready;
    job.terminating = status.terminating;
    job.succeeded = status.succeeded;
    job.failed = status.failed;
    job.completed_indexes = status.completed_indexes;
    job.uncounted_succeeded = status.uncounted_succeeded;
    job.uncounted_failed = status.uncounted_failed;
    job.start_time = status.start_time;
    job.completion_time = status.completion_time;
    for (const kube::Condition& changed : status.changed_conditions) {
      std::erase_if(job.conditions, [&](const auto& c) { return c.type == changed.type; });
      job.conditions.push_back(changed);
    }
  }
  void Release(const std::string& name) {
    kube::Pod& pod = pods.at(name);
    pod.meta.finalizers.clear();
    if (pod.meta.deleting()) pods.erase(name);
  }
  void Create(const JobPlan& plan, int i) {
    kube::Pod pod;
    pod.meta.name = "p" + std::to_string(made++);
    pod.meta.uid = "uid-" + pod.meta.name;
    pod.meta.creation_timestamp = now;
    pod.meta.finalizers = {std::string(kJobFinalizer)};
    if (!plan.create_indexes.empty()) {
      pod.meta.annotations.Set(kCompletionIndex, std::to_string(plan.create_indexes[i]));
    }
    pods[pod.meta.name] = pod;
  }
};

Model MakeModel(int parallelism, std::optional<int> completions) {
  Model model;
  model.job.parallelism = parallelism;
  model.job.completions = completions;
  model.job.pod_template.spec.restart_policy = kube::RestartPolicy::kNever;
  return model;
}

TEST(JobPlanTest, RunsAtMostParallelismPodsUntilEnoughHaveSucceeded) {
  Model model = MakeModel(3, 10);
  model.Settle();
  for (int ended = 0; ended < 10; ++ended) {
    EXPECT_EQ(model.Active().size(), std::min<std::size_t>(3, 10 - ended));
    model.End(model.Active().front(), kube::PodPhase::kSucceeded);
    model.Settle();
  }
  EXPECT_EQ(model.made, 10);
  EXPECT_EQ(model.job.succeeded, 10);
  EXPECT_EQ(model.Condition("Complete"), "CompletionsReached");
  EXPECT_EQ(model.job.completion_time, kBegin);
  EXPECT_TRUE(model.job.uncounted_succeeded.empty());
}

TEST(JobPlanTest, ASuccessThatIsDeletedIsNotForgotten) {
  Model model = MakeModel(1, 2);
  model.Settle();
  model.End("p0", kube::PodPhase::kSucceeded);
  model.Settle();
  model.Delete("p0");
  model.Settle();
  model.End("p1", kube::PodPhase::kSucceeded);
  model.Settle();
  EXPECT_EQ(model.Condition("Complete"), "CompletionsReached");
  EXPECT_EQ(model.made, 2);
}

TEST(JobPlanTest, WithoutCompletionsTheFirstSuccessEndsIt) {
  Model model = MakeModel(2, std::nullopt);
  model.Settle();
  model.End("p0", kube::PodPhase::kSucceeded);
  model.Settle();
  EXPECT_EQ(model.Active().size(), 1u);  // no new pod, but the other goes on
  EXPECT_EQ(model.Condition("Complete"), "");
  model.End("p1", kube::PodPhase::kSucceeded);
  model.Settle();
  EXPECT_EQ(model.Condition("Complete"), "CompletionsReached");
  EXPECT_EQ(model.job.succeeded, 2);
}

TEST(JobPlanTest, FailuresAreRetriedEverMoreSlowlyUntilTheLimit) {
  Model model = MakeModel(1, 1);
  model.job.backoff_limit = 2;
  model.Settle();
  std::vector<Duration> waits;
  for (int i = 0; i < 3; ++i) {
    const std::string name = model.Active().front();
    model.End(name, kube::PodPhase::kFailed);
    model.Settle();
    const auto at = model.Plan().look_again;
    if (!at) break;
    waits.push_back(*at - model.now);
    model.now = *at;
    model.Settle();
  }
  EXPECT_EQ(waits, (std::vector<Duration>{10s, 20s}));
  EXPECT_EQ(model.job.failed, 3);
  EXPECT_EQ(model.Condition("Failed"), "BackoffLimitExceeded");
  EXPECT_EQ(model.job.completion_time, std::nullopt);
}

TEST(JobPlanTest, ADeletedPodIsReplaced) {
  Model model = MakeModel(1, 1);
  model.Settle();
  model.Delete("p0");
  model.now += 11s;
  model.Settle();
  EXPECT_EQ(model.Active(), std::vector<std::string>{"p1"});
  EXPECT_EQ(model.job.failed, 1);
}

TEST(JobPlanTest, TheDeadlineEndsIt) {
  Model model = MakeModel(2, 2);
  model.job.active_deadline_seconds = 60;
  model.Settle();
  EXPECT_EQ(model.Plan().look_again, kBegin + 60s);
  model.now += 60s;
  model.Settle();
  EXPECT_EQ(model.Condition("Failed"), "DeadlineExceeded");
  EXPECT_TRUE(model.Active().empty());
}

TEST(JobPlanTest, SuspensionTakesThePodsAndCostsNoFailures) {
  Model model = MakeModel(2, 2);
  model.job.suspend = true;
  model.Settle();
  EXPECT_EQ(model.made, 0);
  EXPECT_EQ(model.Condition("Suspended"), "JobSuspended");
  EXPECT_EQ(model.job.start_time, std::nullopt);
  model.job.suspend = false;
  model.now += 5s;
  model.Settle();
  EXPECT_EQ(model.Condition("Suspended"), "False");
  EXPECT_EQ(model.job.start_time, kBegin + 5s);
  EXPECT_EQ(model.Active().size(), 2u);
  model.job.suspend = true;
  model.Settle();
  EXPECT_TRUE(model.pods.empty());
  model.job.suspend = false;
  model.Settle();
  EXPECT_EQ(model.Active().size(), 2u);
  EXPECT_EQ(model.job.failed, 0);
}

TEST(JobPlanTest, EveryIndexSucceedsOnce) {
  Model model = MakeModel(2, 4);
  model.job.completion_mode = kube::Job::CompletionMode::kIndexed;
  model.Settle();
  model.End("p0", kube::PodPhase::kFailed);
  model.now += 10s;
  model.Settle();  // index 0 again
  EXPECT_EQ(model.pods.at("p2").meta.annotations.Get(kCompletionIndex), "0");
  for (int i = 0; i < 4; ++i) {
    model.End(model.Active().back(), kube::PodPhase::kSucceeded);
    model.Settle();
  }
  EXPECT_EQ(model.job.completed_indexes, "0-3");
  EXPECT_EQ(model.Condition("Complete"), "CompletionsReached");
}

TEST(JobPlanTest, GoesAwayAfterItsTimeToLive) {
  Model model = MakeModel(1, 1);
  model.job.ttl_seconds_after_finished = 100;
  model.Settle();
  model.End("p0", kube::PodPhase::kSucceeded);
  model.Settle();
  EXPECT_EQ(model.Plan().look_again, kBegin + 100s);
  model.now += 100s;
  EXPECT_TRUE(model.Plan().remove_job);
}

TEST(JobPlanTest, ShrinksWithItsParallelism) {
  Model model = MakeModel(4, 10);
  model.Settle();
  model.job.parallelism = 1;
  model.Settle();
  EXPECT_EQ(model.Active().size(), 1u);
}

TEST(JobPlanTest, OnFailureRestartsCountAgainstTheLimit) {
  Model model = MakeModel(1, 1);
  model.job.backoff_limit = 2;
  model.job.pod_template.spec.restart_policy = kube::RestartPolicy::kOnFailure;
  model.Settle();
  model.pods.at("p0").status.container_statuses = {{.restart_count = 1}};
  model.Settle();
  EXPECT_EQ(model.Condition("FailureTarget"), "");
  model.pods.at("p0").status.container_statuses = {{.restart_count = 2}};
  model.Settle();
  EXPECT_EQ(model.Condition("Failed"), "BackoffLimitExceeded");
}

TEST(JobPlanTest, SaysWhatItDoesNotImplement) {
  kube::Job job;
  EXPECT_EQ(UnsupportedJobField(job), "");
  job.has_pod_failure_policy = true;
  EXPECT_EQ(UnsupportedJobField(job), "spec.podFailurePolicy");
}

// Whatever ends, fails or is deleted in whatever order, exactly `completions` successes are
// counted, and never do more than `parallelism` pods run.
TEST(JobPlanTest, CountsEveryEndOnce) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Model model = MakeModel(1 + static_cast<int>(random.Below(4)), 12);
    model.job.backoff_limit = 1000;
    int failures = 0;
    for (int step = 0; step < 500 && model.Condition("Complete").empty(); ++step) {
      for (std::uint64_t syncs = random.Below(4); syncs > 0; --syncs) model.Sync();
      ASSERT_LE(std::ssize(model.Active()), model.job.parallelism);
      const std::vector<std::string> active = model.Active();
      if (!active.empty()) {
        const std::string name = active[random.Below(active.size())];
        const double what = random.Uniform();
        if (what < 0.2) {
          model.End(name, kube::PodPhase::kFailed), ++failures;
        } else if (what < 0.3) {
          model.Delete(name), ++failures;
        } else {
          model.End(name, kube::PodPhase::kSucceeded);
        }
      }
      model.now += std::chrono::seconds(random.Below(400));
    }
    model.Settle();
    EXPECT_EQ(model.Condition("Complete"), "CompletionsReached") << "seed " << seed;
    EXPECT_EQ(model.job.succeeded, 12) << "seed " << seed;
    EXPECT_EQ(model.job.failed, failures) << "seed " << seed;
  }
}

TEST(IndexSetTest, ReadsAndWritesRanges) {
  for (const char* text : {"", "0", "0,1", "0-2", "1,3-5,7", "0,2,4"}) {
    EXPECT_EQ(FormatIndexes(ParseIndexes(text)), text);
  }
  EXPECT_EQ(FormatIndexes(ParseIndexes("x,2,-1,9-3,4-")), "2");
}

}  // namespace
}  // namespace basalt::workloads
