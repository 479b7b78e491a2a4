// Whoever changes one of the books by mistake is told so: each row makes one wrong behind the
// cluster's back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/annotations.h"
#include "model/cluster.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {
namespace {

using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

template <class T>
T& Own(const T& of_cluster) {
  return const_cast<T&>(of_cluster);  // NOLINT: that is what this test is about
}

struct WrongBook {
  const char* name;
  void (*make)(TestCluster& given);
  const char* said;
};

class ClusterCheckTest : public testing::TestWithParam<WrongBook> {
 protected:
  ClusterCheckTest() {
    given_.Add(MakeQueue("root")).Add(MakeQueue("q"));
    given_.Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakeGroup("g", "q", 2));
    given_.Add(MakeRunningPod("runs", "g", {{"cpu", "1"}}, "n1"));
    given_.Add(MakePod("waits", "g", {{"cpu", "1"}})).Add(MakePod("nothing", "g", {}));
    given_.Add(MakePod("promised", "g", {{"cpu", "1"}}));
    given_.Add(MakeRunningPod("leaves", "g", {{"cpu", "1"}}, "n1"));
    const NodeId node = given_.node("n1").id;
    given_.cluster.Move(given_.task("promised").id,
                        {.status = TaskStatus::kPipelined, .node = node});
    given_.cluster.Move(given_.task("leaves").id, {.status = TaskStatus::kReleasing, .node = node});
    kube::Pod apart = MakeRunningPod("apart", "g", {{"cpu", "1"}}, "n1");
    apart.spec.affinity.emplace().pod_anti.required.emplace_back().topology_key = "zone";
    given_.Add(std::move(apart));
    given_.Add(MakePod("lost", "nowhere", {{"cpu", "1"}}));
  }
  TestCluster given_;
};

TEST_P(ClusterCheckTest, AWrongBookIsNamed) {
  ASSERT_EQ(given_.cluster.CheckLedgers(), "");
  GetParam().make(given_);
  EXPECT_THAT(given_.cluster.CheckLedgers(), testing::HasSubstr(GetParam().said));
}

constexpr auto kOne = [] { return Amounts(1, 0); };

template <auto member>
void QueueOwn(TestCluster& given) {
  (Own(given.queue("q")).own.*member).Add(kOne());
}
template <auto member>
void QueueTree(TestCluster& given) {
  (Own(given.queue("root")).tree.*member).Add(kOne());
}
template <auto member>
void JobSum(TestCluster& given) {
  (Own(given.job("g")).*member).Add(kOne());
}
template <auto member>
void JobNumber(TestCluster& given) {
  ++(Own(given.job("g")).*member);
}
template <auto change>
void NodeBook(TestCluster& given) {
  (Own(given.cluster.ledger()).*change)(given.node("n1").id, kOne(), 1.0);
}
template <class List>
void SwapEnds(List& list) {
  std::swap(list.front(), list.back());
}

INSTANTIATE_TEST_SUITE_P(
    Books, ClusterCheckTest,
    testing::Values(
        WrongBook{"UsedOfANode", &NodeBook<&NodeLedger::ChangeUsed>, "n1 used: dimension 0"},
        WrongBook{"IdleOfANode", &NodeBook<&NodeLedger::ChangeUsed>, "n1 idle: dimension 0"},
        WrongBook{"ReleasingOfANode", &NodeBook<&NodeLedger::ChangeReleasing>, "n1 releasing"},
        WrongBook{"FutureOfANode", &NodeBook<&NodeLedger::ChangeReleasing>, "n1 future"},
        WrongBook{"PromisedOfANode", &NodeBook<&NodeLedger::ChangePromised>, "n1 promised"},
        WrongBook{"AssumedCpuOfANode",
                  [](TestCluster& given) {
                    Own(given.cluster.ledger()).ChangeAssumed(given.node("n1").id, 1, 0, 1);
                  },
                  "n1 assumed cpu"},
        WrongBook{"AssumedMemoryOfANode",
                  [](TestCluster& given) {
                    Own(given.cluster.ledger()).ChangeAssumed(given.node("n1").id, 0, 1, 1);
                  },
                  "n1 assumed memory"},
        WrongBook{"TasksOfANode",
                  [](TestCluster& given) {
                    Own(given.node("n1")).tasks.push_back(given.task("waits").id);
                  },
                  "n1 tasks: 5, counted 4"},
        WrongBook{"ThePlaceOnANode",
                  [](TestCluster& given) { ++Own(given.task("runs")).node_place; },
                  "runs: not in its node's list"},
        WrongBook{"ThePlaceInAClass",
                  [](TestCluster& given) { Own(given.task("runs")).class_place += 9; },
                  "runs: not in its class's list"},
        WrongBook{"ThePlaceAmongThoseWithTerms",
                  [](TestCluster& given) { ++Own(given.task("apart")).terms_place; },
                  "apart: not in the list of those with terms"},
        WrongBook{"ThePlaceAmongPromises",
                  [](TestCluster& given) { ++Own(given.task("promised")).claim_place; },
                  "promised: not in the list of promises"},
        WrongBook{"ThePlaceAmongThoseThatLeave",
                  [](TestCluster& given) { ++Own(given.task("leaves")).claim_place; },
                  "leaves: not in the list of those that leave"},
        WrongBook{"ThePlaceInAJob",
                  [](TestCluster& given) { SwapEnds(Own(given.job("g")).pending); },
                  "waits: not in its job's list"},
        WrongBook{
            "AStatusOfAJob",
            [](TestCluster& given) { Own(given.job("g")).counts.Change(TaskStatus::kRunning, +1); },
            "ns/g Running: 3, counted 2"},
        WrongBook{"AStatusOfARole",
                  [](TestCluster& given) {
                    Own(given.job("g")).roles[0].counts.Change(TaskStatus::kPending, +1);
                  },
                  "ns/g Pending: 3, counted 2"},
        WrongBook{"BestEffortOfARole",
                  [](TestCluster& given) { ++Own(given.job("g")).roles[0].pending_best_effort; },
                  "ns/g best-effort tasks of a role: 2, counted 1"},
        WrongBook{"BestEffortOfAJob", &JobNumber<&Job::pending_best_effort>,
                  "ns/g pending best-effort: 2, counted 1"},
        WrongBook{"WhoOptedIn", &JobNumber<&Job::pending_opted_in>, "ns/g pending opted in: 1"},
        WrongBook{"QueueClaims", &JobNumber<&Job::queue_claims>, "ns/g queue claims: 1"},
        WrongBook{"ThoseThatNameAReservation", &JobNumber<&Job::pending_naming>,
                  "ns/g pending that name a reservation: 1"},
        WrongBook{"TheChildrenOfAQueue",
                  [](TestCluster& given) { Own(given.queue("root")).children.clear(); },
                  "q: not among its parent's children"},
        WrongBook{
            "MembersOfAJob",
            [](TestCluster& given) { Own(given.job("g")).others.push_back(given.task("lost").id); },
            "ns/g members: 7, counted 6"},
        WrongBook{"AllocatedOfAJob", &JobSum<&Job::allocated>, "ns/g allocated"},
        WrongBook{"PromisedOfAJob", &JobSum<&Job::promised>, "ns/g promised"},
        WrongBook{"RequestOfAJob", &JobSum<&Job::total_request>, "ns/g total request"},
        WrongBook{"HeldBackOfAJob", &JobSum<&Job::held_back>, "ns/g held back"},
        WrongBook{"InQueueOfAJob", &JobSum<&Job::in_queue>, "ns/g in queue"},
        WrongBook{"ElasticOfAJob", &JobSum<&Job::elastic>, "ns/g elastic"},
        WrongBook{"TheListOfAJob",
                  [](TestCluster& given) { Own(given.job("g")).list = Job::List::kNone; },
                  "ns/g list: 0, counted 1"},
        WrongBook{"ThePlaceAmongActiveJobs",
                  [](TestCluster& given) { ++Own(given.job("g")).list_place; }, "ns/g: not active"},
        WrongBook{"ThePlaceAmongGrouplessJobs",
                  [](TestCluster& given) { ++Own(given.job("nowhere")).list_place; },
                  "ns/nowhere: not groupless"},
        WrongBook{"ThePlaceInAQueue", [](TestCluster& given) { ++Own(given.job("g")).queue_place; },
                  "ns/g: not in its queue's list"},
        WrongBook{"WhetherAJobCountsForAll",
                  [](TestCluster& given) {
                    Own(given.job("g")).in_queue_of_all = !given.job("g").in_queue_of_all;
                  },
                  "ns/g counts for all"},
        WrongBook{"AllocatedOfAQueue", &QueueOwn<&QueueLedger::allocated>, "q own allocated"},
        WrongBook{"PromisedOfAQueue", &QueueOwn<&QueueLedger::promised>, "q own promised"},
        WrongBook{"LeavingOfAQueue", &QueueOwn<&QueueLedger::leaving>, "q own leaving"},
        WrongBook{"OverdueOfAQueue", &QueueOwn<&QueueLedger::overdue>, "q own overdue"},
        WrongBook{"RequestOfAQueue", &QueueOwn<&QueueLedger::request>, "q own request"},
        WrongBook{"ClaimedOfAQueue", &QueueOwn<&QueueLedger::claimed>, "q own claimed"},
        WrongBook{"InQueueOfAQueue", &QueueOwn<&QueueLedger::in_queue>, "q own in queue"},
        WrongBook{"GatedOfAQueue", &QueueOwn<&QueueLedger::in_queue_gated>, "q own in queue gated"},
        WrongBook{"ElasticOfAQueue", &QueueOwn<&QueueLedger::elastic>, "q own elastic"},
        WrongBook{"AllocatedOfATree", &QueueTree<&QueueLedger::allocated>, "root tree allocated"},
        WrongBook{"AChildOfAQueue",
                  [](TestCluster& given) {
                    Own(given.queue("q")).children.push_back(given.queue("root").id);
                  },
                  "q: a child has another parent"},
        WrongBook{"AllThatNodesHave",
                  [](TestCluster& given) { Own(given.cluster.total_allocatable()).Add(kOne()); },
                  "all nodes allocatable"},
        WrongBook{"AllThatIsHeld",
                  [](TestCluster& given) { Own(given.cluster.total_held()).Add(kOne()); },
                  "all nodes held"},
        WrongBook{"AllThatIsInQueue",
                  [](TestCluster& given) { Own(given.cluster.total_in_queue()).Add(kOne()); },
                  "all queues in queue"},
        WrongBook{"AllThatLeave",
                  [](TestCluster& given) {
                    Own(given.cluster.releasing()).push_back(given.task("runs").id);
                  },
                  "all leaving: 2, counted 1"},
        WrongBook{"AllThatArePromised",
                  [](TestCluster& given) {
                    Own(given.cluster.promised()).push_back(given.task("runs").id);
                  },
                  "all promised: 2, counted 1"},
        WrongBook{"AllWithTerms",
                  [](TestCluster& given) {
                    Own(given.cluster.placed_with_pod_terms()).push_back(given.task("runs").id);
                  },
                  "all with terms: 2, counted 1"},
        WrongBook{"AllThatAreParked",
                  [](TestCluster& given) {
                    Own(given.cluster.parking()).Put("like", {.job = given.job("g").id}, {});
                  },
                  "all parked: 1, counted 0"},
        WrongBook{"AllActiveJobs",
                  [](TestCluster& given) {
                    Own(given.cluster.active_jobs()).push_back(given.job("g").id);
                  },
                  "all active: 2, counted 1"},
        WrongBook{"AllGrouplessJobs",
                  [](TestCluster& given) {
                    Own(given.cluster.groupless_jobs()).push_back(given.job("g").id);
                  },
                  "all groupless: 2, counted 1"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace basalt::model
