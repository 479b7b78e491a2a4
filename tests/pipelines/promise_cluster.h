#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/pod.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/scheduling/cluster_history.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::systemtest {

namespace json = boost::json;

// What a scheduler writes, and the end of it: at its Nth write it dies, before or after that write
// has left.
class RecordingApi final : public kube::ApiClient {
 public:
  explicit RecordingApi(testutil::DirectNetwork& network) : api_(network) {}

  struct Write {
    std::string method, path, body;
  };
  void Send(kube::ApiRequest request, kube::ApiHandler handler) override;
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

  void DieAt(std::size_t write, bool before) {
    die_at_ = write;
    before_ = before;
  }
  bool dead() const { return api_.crashed(); }
  const std::vector<Write>& writes() const { return writes_; }

 private:
  testutil::DirectApiClient api_;
  std::vector<Write> writes_;
  std::size_t die_at_ = 0;  // 0: never
  bool before_ = false;
};

// With which of its writes a scheduler dies, and whether that still goes out.
struct Death {
  std::size_t write = 0;
  bool before = false;
};

// A scheduler with preempt and reclaim on virtual time, on an embedded cluster whose nodes and
// owners of pods are played by the test: pods that are bound run, pods that are deleted stay for
// their grace and go, and those that have a "comes-back" label are made anew under another name.
class PromiseCluster {
 public:
  explicit PromiseCluster(std::uint64_t seed = 1, const testutil::FaultPlan& faults = {});
  ~PromiseCluster();

  testutil::SchedulingCluster& cluster() { return cluster_; }
  RecordingApi& api() { return *api_; }
  void StartScheduler();
  // The scheduler is started again when it has died and all that it had sent has arrived.
  void Run(Duration duration);
  // The next schedulers die with these writes, one after the other.
  void DieAt(std::vector<Death> deaths);
  // These never go.
  void Stuck(const std::string& pod) { stuck_.insert(pod); }

  // The node has a label "place" with its name.
  void AddNode(const std::string& name, const std::string& cpu, const std::string& pods = "110");
  // `deserved` "": none.
  void AddQueue(const std::string& name, const std::string& deserved);
  void AddGroup(const std::string& name, int min_member, const std::string& queue,
                const std::string& priority = "");
  testutil::PodBuilder Pod(const std::string& name, const std::string& cpu,
                           const std::string& group);
  void DeletePod(const std::string& name);

  std::vector<kube::Pod> Pods();
  kube::Pod GetPod(const std::string& name);
  std::set<std::string> Nodes();
  // "victim" for each eviction that was asked for, in order, over all schedulers.
  std::vector<std::string> Evictions() const;
  // Writes of a nomination: "pod node".
  std::vector<std::string> Nominations() const;
  // What must hold when all is quiet: "" where it does. Nothing was ever over a limit, and nobody
  // was bound twice.
  std::string Check();

  int deaths() const { return deaths_; }
  // Pods that are gone.
  int Gone() const { return gone_; }
  // Of all schedulers.
  std::size_t writes() const { return earlier_.size() + (api_ ? api_->writes().size() : 0); }
  // Evictions that the scheduler knows of.
  std::size_t remembered() const { return service_->scheduler().evictions().size(); }

 private:
  void PlayKubelets();

  testutil::SchedulingCluster cluster_;
  testutil::ClusterHistory history_;
  std::unique_ptr<RecordingApi> api_;
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<scheduler::SchedulerService> service_;
  std::vector<RecordingApi::Write> earlier_;
  std::vector<Death> to_come_;  // the next at the back
  bool seen_dead_ = false;
  std::set<std::string> stuck_;
  int deaths_ = 0;
  int made_anew_ = 0;
  int gone_ = 0;
};

}  // namespace basalt::systemtest
