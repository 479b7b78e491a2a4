// Random lives of jobs: pods that run, end, fail and are evicted, commands, changes of scale,
// restarts of the controller and writes that fail, on virtual time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "controllers/job/job_controller_test_util.h"
#include "testing/seeds.h"

namespace basalt::controllers {
namespace {

using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

// Which phase may follow which (C12.2).
const std::map<std::string, std::set<std::string>> kMayFollow = {
    {"", {"Pending"}},
    {"Pending", {"Running", "Restarting", "Aborting", "Terminating", "Completing"}},
    {"Running",
     {"Pending", "Restarting", "Aborting", "Terminating", "Completing", "Completed", "Failed"}},
    {"Restarting", {"Pending", "Failed"}},
    {"Aborting", {"Aborted", "Restarting"}},
    {"Aborted", {"Restarting"}},
    {"Completing", {"Completed"}},
    {"Terminating", {"Terminated"}},
    {"Completed", {}},
    {"Terminated", {}},
    {"Failed", {}}};

class RandomLife {
 public:
  explicit RandomLife(std::uint64_t seed)
      : random_(seed), cluster_({.seed = seed, .faults = Faults(seed)}) {}

  void Live() {
    AddJob();
    const int steps = 15 + static_cast<int>(random_.Below(20));
    for (int i = 0; i < steps; ++i) {
      Step();
      cluster_.Run(std::chrono::milliseconds(random_.Below(1500)));
      CheckHistory();
    }
    End();
  }

 private:
  static testutil::FaultPlan Faults(std::uint64_t seed) {
    if (seed % 3 == 0) return {};
    return {.most_latency = 20ms,
            .refuse = 0.02,
            .lose_response = 0.03,
            .internal_error = 0.03,
            .cut_watch = 0.01};
  }

  template <class T>
  const T& Pick(const std::vector<T>& from) {
    return from[random_.Below(from.size())];
  }

  std::string Policies() {
    const std::vector<std::string> events = {"PodFailed", "PodEvicted", "TaskCompleted", "*",
                                             "TaskFailed"};
    const std::vector<std::string> actions = {"RestartJob", "RestartJob", "RestartTask",
                                              "RestartPod", "AbortJob",   "TerminateJob",
                                              "CompleteJob"};
    if (random_.Chance(0.3)) return "[]";
    return fmt::format(R"([{{"event": "{}", "action": "{}"{}}}])", Pick(events), Pick(actions),
                       random_.Chance(0.2) ? R"(, "timeout": "2s")" : "");
  }

  void AddJob() {
    replicas_ = {1 + static_cast<int>(random_.Below(2)), 1 + static_cast<int>(random_.Below(3))};
    const auto task = [&](std::string_view name, int replicas) {
      return JobCluster::Task(name, replicas, fmt::format(R"("policies": {},)", Policies()));
    };
    const std::string min_success = random_.Chance(0.2) ? R"("minSuccess": 1,)" : "";
    cluster_.AddJob(
        fmt::format(R"("maxRetry": {}, "minAvailable": {}, {} "policies": {}, "tasks": [{}, {}])",
                    1 + random_.Below(4), 1 + random_.Below(2), min_success, Policies(),
                    task("m", replicas_[0]), task("w", replicas_[1])));
  }

  void Step() {
    const std::vector<std::string> pods = cluster_.Pods();
    switch (random_.Below(12)) {
      case 0: return Restart();
      case 1: {
        const std::vector<std::string> commands = {"AbortJob", "ResumeJob", "ResumeJob",
                                                   "RestartJob", "RestartTask"};
        if (random_.Chance(0.6)) cluster_.Command(Pick(commands));
        return;
      }
      case 2: return Scale();
      case 3:
        if (!pods.empty()) cluster_.DeletePod(Pick(pods));
        return;
      case 4:
      case 5: return cluster_.Admit();
      default:
        if (!pods.empty()) Advance(Pick(pods));
    }
  }

  void Restart() {
    cluster_.KillController();
    for (int i = 0; i < 2; ++i) {
      const std::vector<std::string> pods = cluster_.Pods();
      if (!pods.empty() && random_.Chance(0.5)) Advance(Pick(pods));
    }
    cluster_.Run(std::chrono::milliseconds(random_.Below(3000)));
    cluster_.StartController();
  }

  void Scale() {
    const std::size_t task = random_.Below(2);
    const int replicas = 1 + static_cast<int>(random_.Below(3));
    EXPECT_TRUE(cluster_.cluster().Patch(
        {resources::kVcJobs, "default", "train"}, kube::PatchKind::kJson,
        fmt::format(R"([{{"op": "replace", "path": "/spec/tasks/{}/replicas", "value": {}}}])",
                    task, replicas)));
    replicas_[task] = replicas;
  }

  // What a kubelet would do with it next.
  void Advance(const std::string& pod) {
    const std::string phase =
        TextAt(cluster_.cluster().Get(resources::kPods, "default", pod), "status.phase");
    if (phase == "Pending") return cluster_.SetPod(pod, "Running");
    if (phase != "Running") return;
    if (random_.Chance(0.3)) return cluster_.SetPod(pod, "Running", 0, 3);
    random_.Chance(0.5) ? cluster_.SetPod(pod, "Succeeded") : cluster_.SetPod(pod, "Failed", 1);
  }

  void CheckHistory() {
    const json::value job = cluster_.Job();  // all of it at one moment
    std::vector<std::string> phases;
    if (const json::value* conditions = testutil::FindPath(job, "status.conditions")) {
      for (const json::value& one : conditions->get_array()) {
        phases.push_back(TextAt(one, "status"));
      }
    }
    const json::value* retries = testutil::FindPath(job, "status.retryCount");
    std::string before;
    int restarts = 0;
    for (const std::string& phase : phases) {
      ASSERT_TRUE(kMayFollow.at(before).contains(phase)) << before << " to " << phase;
      restarts += phase == "Restarting" ? 1 : 0;
      before = phase;
    }
    ASSERT_EQ(retries ? retries->to_number<int>() : 0, restarts)
        << "each restart counts once: " << fmt::format("{}", fmt::join(phases, " "));
    ASSERT_GE(phases.size(), seen_.size());
    ASSERT_TRUE(std::equal(seen_.begin(), seen_.end(), phases.begin())) << "history is kept";
    seen_ = phases;
  }

  bool HasEnded() {
    const std::string phase = cluster_.Phase();
    return phase == "Completed" || phase == "Failed" || phase == "Terminated" || phase == "Aborted";
  }

  // From now on all goes well, and the job comes to an end.
  void End() {
    cluster_.cluster().network().set_plan({});
    cluster_.KillController();
    cluster_.StartController();
    cluster_.Run(70s);
    for (int round = 0; round < 40 && !HasEnded(); ++round) {
      cluster_.Admit();
      for (const std::string& pod : cluster_.Pods()) {
        const std::string phase =
            TextAt(cluster_.cluster().Get(resources::kPods, "default", pod), "status.phase");
        if (phase == "Pending") cluster_.SetPod(pod, "Running");
        if (phase == "Running" && round % 2 == 1) cluster_.SetPod(pod, "Succeeded");
      }
      cluster_.Run(5s);
    }
    cluster_.Run(10s);
    CheckHistory();
    ASSERT_TRUE(HasEnded()) << cluster_.Phases() << json::serialize(cluster_.Job());
    EXPECT_TRUE(cluster_.Names(resources::kPodGroups).empty());
    std::map<std::string, std::int64_t> pods;
    for (const json::value& pod : cluster_.cluster().List(resources::kPods)) {
      ++pods[TextAt(pod, "status.phase")];
    }
    EXPECT_EQ(pods["Pending"] + pods["Running"], 0) << cluster_.Phases();
    EXPECT_EQ(cluster_.Count("pending") + cluster_.Count("running") + cluster_.Count("terminating"),
              0);
    if (cluster_.Phase() != "Aborted") {
      // What somebody deleted after the end stays counted.
      EXPECT_GE(cluster_.Count("succeeded"), pods["Succeeded"]);
      EXPECT_GE(cluster_.Count("failed"), pods["Failed"]);
    }
    cluster_.process().counting.Clear();
    cluster_.Run(5min);
    EXPECT_EQ(cluster_.process().counting.writes("PATCH jobs/status"), 0) << "it rests";
  }

  Random random_;
  JobCluster cluster_;
  std::vector<int> replicas_;
  std::vector<std::string> seen_;
};

TEST(JobRandom, EveryLifeEndsAsTheTableAllows) {
  testutil::ForEachSeed(200, [](std::uint64_t seed) { RandomLife(seed).Live(); });
}

// ---- a controller that dies at a write

// Lets so many writes pass; the next one is the last, and may still arrive. Nothing is heard after.
class DyingApiClient final : public kube::ApiClient {
 public:
  DyingApiClient(kube::ApiClient& api, int writes, bool last_arrives)
      : api_(api), writes_(writes), last_arrives_(last_arrives) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    if (dead_) return;
    // Events are not what it lives for.
    const bool counts = request.method != "GET" && !request.path.ends_with("/events");
    if (counts && writes_-- <= 0) {
      dead_ = true;
      if (last_arrives_) api_.Send(std::move(request), [](const auto&) {});
      return;
    }
    api_.Send(std::move(request), [this, handler = std::move(handler)](auto result) mutable {
      if (!dead_) handler(std::move(result));
    });
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }
  bool dead() const { return dead_; }

 private:
  kube::ApiClient& api_;
  int writes_;
  const bool last_arrives_;
  bool dead_ = false;
};

struct DyingProcess {
  DyingProcess(JobCluster& cluster, int writes, bool last_arrives)
      : api(cluster.cluster().network()),
        dying(api, writes, last_arrives),
        client(dying),
        events(client, {.component = "vc-controller-manager"}),
        controller(client, events) {
    controller.Start();
  }
  testutil::DirectApiClient api;
  DyingApiClient dying;
  kube::Client client;
  kube::EventRecorder events;
  JobController controller;
};

// A job of two tasks one of whose pods fails, or is evicted, once. Whenever the controller dies,
// the job's history is the same in the end.
void DieAtAWrite(std::uint64_t seed) {
  const std::vector<std::string> actions = {"RestartJob", "RestartTask", "RestartPod"};
  const std::string action = actions[seed % 3];
  const bool evict = seed / 3 % 2 == 1;
  const bool last_arrives = seed / 6 % 2 == 1;
  const int writes = static_cast<int>(seed / 12);
  JobCluster cluster;
  cluster.KillController();
  auto process = std::make_unique<DyingProcess>(cluster, writes, last_arrives);
  const auto run = [&](Duration duration = 3s) {
    cluster.cluster().loop().RunUntil([&] { return process->dying.dead(); }, duration);
    if (process->dying.dead()) {
      process.reset();
      process = std::make_unique<DyingProcess>(cluster, 1000000, true);
    }
    cluster.Run(3s);
  };
  cluster.AddJob(fmt::format(
      R"("maxRetry": 5, "plugins": {{"svc": [], "env": []}},
         "policies": [{{"event": "{}", "action": "{}"}}], "tasks": [{}, {}])",
      evict ? "PodEvicted" : "PodFailed", action, JobCluster::Task("m", 1),
      JobCluster::Task("w", 2)));
  run();
  cluster.Admit();
  run();
  ASSERT_EQ(cluster.Pods().size(), 3u);
  cluster.SetAll("Running");
  run();
  ASSERT_EQ(cluster.Phase(), "Running") << cluster.Phases();
  const std::string master = cluster.UidOf("train-m-0");
  evict ? cluster.DeletePod("train-w-1") : cluster.SetPod("train-w-1", "Failed", 1);
  run();
  cluster.Admit();
  run(70s);
  ASSERT_EQ(cluster.Pods().size(), 3u) << cluster.Phases();
  cluster.SetAll("Running");
  run();
  EXPECT_EQ(cluster.Phase(), "Running") << cluster.Phases();
  EXPECT_EQ(master == cluster.UidOf("train-m-0"), action != "RestartJob");
  cluster.SetAll("Succeeded");
  run();
  EXPECT_EQ(cluster.Phases(), "Pending Running Restarting Pending Running Completed");
  EXPECT_EQ(cluster.Count("retryCount"), 1);
  EXPECT_EQ(cluster.Count("version"), action == "RestartJob" ? 1 : 0);
  EXPECT_EQ(cluster.Count("succeeded"), 3);
  EXPECT_TRUE(cluster.Names(resources::kServices).empty());
  EXPECT_TRUE(cluster.Names(resources::kPodGroups).empty());
}

TEST(JobRandom, NothingIsLostOrDoubledWhereverTheControllerDies) {
  testutil::ForEachSeed(300, DieAtAWrite);
}

}  // namespace
}  // namespace basalt::controllers
