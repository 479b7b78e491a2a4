#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/gates/gate_cluster.h"

namespace basalt::testutil {

// Says what is wrong with a cluster by its API objects alone, by brute force over queues and nodes
// and without the scheduler's code: which pods an autoscaler sees that wait for nothing but their
// queue, and which it should see and does not.
//
// It knows pods that ask for amounts and select nodes by labels, jobs whose pods are alike, and
// queues that never get smaller.
class GateOracle {
 public:
  struct Rules {
    bool hierarchy = false;     // queues are limited by those above them
    bool claims_lapse = false;  // a claim without a node gives its room back after a while
    // Jobs enter their queue before they are admitted, and keep room in it for their minima.
    bool jobs_enter = false;
  };
  // A label of pods that opted in and came without a gate: the webhook was away.
  static constexpr std::string_view kAway = "came-without-gate";

  GateOracle(const GateCluster& cluster, Rules rules) : cluster_(cluster), rules_(rules) {}

  // A scheduler has died: who has a part of its gates off may have lost the rest of its room.
  void NoteRestart() { restarted_ = true; }

  // Must hold after every change: one line for each thing that is wrong.
  std::string CheckNow() const;
  // Must hold when nothing has changed for a while.
  std::string CheckSettled() const;
  // The pods for which either autoscaler would make a node.
  std::vector<std::shared_ptr<const kube::Pod>> Seen() const;

 private:
  using Amounts = std::map<std::string, std::int64_t>;  // in thousandths, by resource
  struct Job {
    std::string queue;
    int min = 1;
    std::vector<std::shared_ptr<const kube::Pod>> pods;
    int bound = 0;     // or ended well
    int open = 0;      // opted in, without a gate and without a node
    int gated = 0;     // by the queue's gate alone
    int ordinary = 0;  // not opted in, no gate, no node
    Amounts request;   // of each
    int needed() const { return std::max(0, min - bound); }
    bool valid() const { return bound + open + gated + ordinary >= min; }
  };

  static Amounts ToAmounts(const kube::ResourceList& list);
  static void Add(Amounts& sum, const Amounts& item, int times);
  std::map<std::string, Job> Jobs() const;
  std::vector<std::string> WayUp(const std::string& queue) const;
  Amounts LimitOf(const std::string& queue) const;
  // What is in each queue and below: on nodes, and with those that are admitted.
  struct Counted {
    bool claims = false;       // who is admitted
    bool whole_gangs = false;  // all that a gang needs of which some are
    bool away = false;         // who came without a gate, and may be admitted or not
    bool entered = false;      // the minima of those that wait, and may have entered
  };
  std::map<std::string, Amounts> Loads(const std::map<std::string, Job>& jobs,
                                       Counted counted) const;
  // What may stand in the way of so many more of the job.
  bool MayBeAdmitted(const std::map<std::string, Job>& jobs, const std::string& name,
                     int more) const;
  // Whether the queue, and those above it, have room for so many more.
  bool HasRoom(const std::map<std::string, Amounts>& loads, const Job& job, int times) const;
  // How many of the job's pods the nodes can take now.
  int Slots(const Job& job) const;
  bool IsSeen(const kube::Pod& pod) const;
  void CheckOpenPods(const std::map<std::string, Job>& jobs, std::string& out) const;
  void CheckGatedPods(const std::map<std::string, Job>& jobs, std::string& out) const;

  const GateCluster& cluster_;
  Rules rules_;
  bool restarted_ = false;
};

}  // namespace basalt::testutil
