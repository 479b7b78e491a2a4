#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testing::HasSubstr;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;

class PredicatesTest : public testing::Test {
 protected:
  kube::Node NodeInZone(const char* name, const char* zone) {
    kube::Node node = MakeNode(name, {{"cpu", "8"}, {"memory", "16Gi"}});
    node.meta.labels.Set("zone", zone);
    node.meta.labels.Set("kubernetes.io/hostname", name);
    return node;
  }
  kube::PodAffinityTerm Term(const char* app, const char* key) {
    kube::PodAffinityTerm term;
    term.label_selector = kube::LabelSelector::OfLabels({{"app", app}});
    term.topology_key = key;
    return term;
  }
  Session& Open(boost::json::object arguments = {}) {
    session_.reset();
    Config config = testutil::OneTier({"predicates"});
    config.tiers[0].plugins[0].arguments = Arguments(std::move(arguments));
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    return session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
  }
  std::string Why(const char* task, const char* node) {
    return std::string(session_->Filter(given_.task(task), given_.node(node)).reason);
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

TEST_F(PredicatesTest, NodeObjectRulesCanBeSwitchedOff) {
  kube::Node tainted = MakeNode("tainted", {{"cpu", "1"}});
  tainted.spec.taints.push_back(
      {.key = "gpu", .value = "yes", .effect = kube::TaintEffect::kNoSchedule});
  kube::Node cordoned = MakeNode("cordoned", {{"cpu", "1"}});
  cordoned.spec.unschedulable = true;
  given_.Add(std::move(tainted)).Add(std::move(cordoned)).Add(NodeInZone("a", "z1"));
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.spec.node_selector.Set("zone", "z2");
  given_.Add(std::move(pod)).Add(MakePod("plain", "", {{"cpu", "1"}}));
  Open();
  EXPECT_EQ(Why("plain", "tainted"), "node(s) had untolerated taint {gpu: yes}");
  EXPECT_EQ(Why("plain", "cordoned"), "node(s) were unschedulable");
  EXPECT_EQ(Why("p", "a"), "node(s) didn't match Pod's node affinity/selector");
  EXPECT_EQ(Why("plain", "a"), "");
  Open({{"predicate.NodeAffinityEnable", false}, {"predicate.TaintTolerationEnable", "false"}});
  EXPECT_EQ(Why("p", "a"), "");
  EXPECT_EQ(Why("plain", "tainted"), "");
}

TEST_F(PredicatesTest, ANodeTakesNoMorePodsThanItSays) {
  given_.Add(MakeNode("n", {{"cpu", "8"}, {"pods", "1"}}));
  given_.Add(MakePod("p", "", {})).Add(MakeRunningPod("a", "", {}, "n"));
  Open();
  EXPECT_EQ(Why("p", "n"), "node(s) pod number exceeded");
}

TEST_F(PredicatesTest, HostPortsAreTakenPerAddressAndProtocol) {
  given_.Add(MakeNode("n", {{"cpu", "8"}}));
  const auto with_port = [](kube::Pod pod, const char* ip, kube::Protocol protocol) {
    pod.spec.containers[0].ports.push_back({.host_port = 80, .host_ip = ip, .protocol = protocol});
    return pod;
  };
  given_.Add(with_port(MakeRunningPod("a", "", {}, "n"), "10.0.0.1", kube::Protocol::kTcp));
  given_.Add(with_port(MakePod("same", "", {}), "10.0.0.1", kube::Protocol::kTcp));
  given_.Add(with_port(MakePod("any", "", {}), "", kube::Protocol::kTcp));
  given_.Add(with_port(MakePod("other", "", {}), "10.0.0.2", kube::Protocol::kTcp));
  given_.Add(with_port(MakePod("udp", "", {}), "10.0.0.1", kube::Protocol::kUdp));
  Open();
  EXPECT_THAT(Why("same", "n"), HasSubstr("free ports"));
  EXPECT_THAT(Why("any", "n"), HasSubstr("free ports"));
  EXPECT_EQ(Why("other", "n"), "");
  EXPECT_EQ(Why("udp", "n"), "");
  EXPECT_EQ(Why("a", "n"), "") << "it is not in its own way";
}

TEST_F(PredicatesTest, AffinityFollowsPlacementsOfTheSession) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
  kube::Pod first = MakePod("first", "g", {{"cpu", "1"}});
  first.meta.labels.Set("app", "web");
  first.spec.affinity.emplace().pod.required.push_back(Term("web", "zone"));
  kube::Pod second = first;
  second.meta.name = second.meta.uid = "second";
  given_.Add(std::move(first)).Add(std::move(second));
  Session& session = Open();
  EXPECT_EQ(Why("first", "a"), "");  // the first of its kind may go anywhere
  Statement statement(session);
  statement.Allocate(given_.task("first").id, given_.node("b").id);
  EXPECT_EQ(Why("second", "a"), "node(s) didn't match pod affinity rules");
  EXPECT_EQ(Why("second", "b"), "");
  statement.Discard();
  EXPECT_EQ(Why("second", "a"), "");
}

// x has a promise alone: it may never run.
TEST_F(PredicatesTest, WhoHasAPromiseAloneSatisfiesNoAffinity) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
  kube::Pod x = MakePod("x", "", {{"cpu", "1"}});
  x.meta.labels.Set("app", "x");
  kube::Pod y = MakePod("y", "", {{"cpu", "1"}});
  y.spec.affinity.emplace().pod.required.push_back(Term("x", "zone"));
  given_.Add(std::move(x)).Add(std::move(y));
  Session& session = Open();
  Statement statement(session);
  statement.Pipeline(given_.task("x").id, given_.node("a").id, false);
  EXPECT_EQ(Why("y", "a"), "node(s) didn't match pod affinity rules");
  statement.Unallocate(given_.task("x").id);
  statement.Allocate(given_.task("x").id, given_.node("a").id);
  EXPECT_EQ(Why("y", "a"), "");
}

// One of the app runs in z1 and x is promised z2: should x never come, a second in z1 would be two
// more than in z2.
TEST_F(PredicatesTest, WhoHasAPromiseAloneEvensNoSpreadOut) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
  for (const char* name : {"w", "x", "y"}) {
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    pod.meta.labels.Set("app", "web");
    pod.spec.topology_spread_constraints.push_back(
        {.max_skew = 1,
         .topology_key = "zone",
         .label_selector = kube::LabelSelector::OfLabels({{"app", "web"}})});
    given_.Add(std::move(pod));
  }
  Session& session = Open();
  Statement statement(session);
  statement.Allocate(given_.task("w").id, given_.node("a").id);
  statement.Pipeline(given_.task("x").id, given_.node("b").id, false);
  EXPECT_EQ(Why("y", "a"), "node(s) didn't match pod topology spread constraints");
  EXPECT_EQ(Why("y", "b"), "");
  statement.Unallocate(given_.task("x").id);
  statement.Allocate(given_.task("x").id, given_.node("b").id);
  EXPECT_EQ(Why("y", "a"), "");
}

TEST_F(PredicatesTest, AGangThatWaitsForItsOwnPromisesMayCountOnThem) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
  for (const int needed : {2, 1}) {
    const std::string group = "g" + std::to_string(needed);
    given_.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup(group, "q", needed));
    kube::Pod x = MakePod(group + "-x", group, {{"cpu", "1"}});
    x.meta.labels.Set("app", group);
    kube::Pod y = MakePod(group + "-y", group, {{"cpu", "1"}});
    y.spec.affinity.emplace().pod.required.push_back(Term(group.c_str(), "zone"));
    given_.Add(std::move(x)).Add(std::move(y));
  }
  Session& session = Open();
  Statement statement(session);
  for (const char* x : {"g2-x", "g1-x"}) {
    statement.Pipeline(given_.task(x).id, given_.node("a").id, false);
  }
  EXPECT_EQ(Why("g2-y", "a"), "");
  EXPECT_EQ(Why("g2-y", "b"), "node(s) didn't match pod affinity rules");
  EXPECT_EQ(Why("g1-y", "a"), "node(s) didn't match pod affinity rules") << "it starts without x";
}

TEST_F(PredicatesTest, ConditionsCountAsTheTaintsThatKubernetesGivesForThem) {
  struct Case {
    const char* type;
    kube::ConditionStatus status;
    const char* why;
    const char* tolerated;
  };
  using Status = kube::ConditionStatus;
  const Case cases[] = {
      {"Ready", Status::kTrue, "", ""},
      {"Ready", Status::kFalse, "node(s) were not ready", "node.kubernetes.io/not-ready"},
      {"Ready", Status::kUnknown, "node(s) were unreachable", "node.kubernetes.io/unreachable"},
      {"MemoryPressure", Status::kTrue, "node(s) had memory pressure",
       "node.kubernetes.io/memory-pressure"},
      {"MemoryPressure", Status::kFalse, "", ""},
      {"DiskPressure", Status::kTrue, "node(s) had disk pressure",
       "node.kubernetes.io/disk-pressure"},
      {"PIDPressure", Status::kTrue, "node(s) had PID pressure", "node.kubernetes.io/pid-pressure"},
      {"NetworkUnavailable", Status::kTrue, "node(s) had no network",
       "node.kubernetes.io/network-unavailable"},
      {"Example", Status::kFalse, "", ""},
  };
  int number = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.type);
    const std::string name = "n" + std::to_string(number++);
    kube::Node node = MakeNode(name, {{"cpu", "1"}});
    node.status.conditions.push_back({.type = c.type, .status = c.status});
    given_.Add(std::move(node));
    kube::Pod tolerant = MakePod("tolerant-" + name, "", {{"cpu", "1"}});
    tolerant.spec.tolerations.push_back(
        {.key = c.tolerated, .op = kube::Toleration::Operator::kExists});
    given_.Add(MakePod("plain-" + name, "", {{"cpu", "1"}})).Add(std::move(tolerant));
    Open();
    EXPECT_EQ(Why(("plain-" + name).c_str(), name.c_str()), c.why);
    EXPECT_EQ(Why(("tolerant-" + name).c_str(), name.c_str()), "");
  }
}

TEST_F(PredicatesTest, AntiAffinityHoldsInBothDirections) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
  kube::Pod loner = MakeRunningPod("loner", "", {{"cpu", "1"}}, "a");
  loner.spec.affinity.emplace().pod_anti.required.push_back(Term("web", "zone"));
  kube::Pod web = MakePod("web", "", {{"cpu", "1"}});
  web.meta.labels.Set("app", "web");
  kube::Pod shy = MakePod("shy", "", {{"cpu", "1"}});
  shy.spec.affinity.emplace().pod_anti.required.push_back(Term("db", "zone"));
  kube::Pod db = MakeRunningPod("db", "", {{"cpu", "1"}}, "b");
  db.meta.labels.Set("app", "db");
  given_.Add(std::move(loner)).Add(std::move(web)).Add(std::move(shy)).Add(std::move(db));
  Open();
  EXPECT_EQ(Why("web", "a"), "node(s) didn't satisfy existing pods anti-affinity rules");
  EXPECT_EQ(Why("web", "b"), "");
  EXPECT_EQ(Why("shy", "b"), "node(s) didn't match pod anti-affinity rules");
  EXPECT_EQ(Why("shy", "a"), "");
}

TEST_F(PredicatesTest, SpreadKeepsTheSkewSmall) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2")).Add(MakeNode("c", {{"cpu", "1"}}));
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.meta.labels.Set("app", "web");
  pod.spec.topology_spread_constraints.push_back(
      {.max_skew = 1,
       .topology_key = "zone",
       .label_selector = kube::LabelSelector::OfLabels({{"app", "web"}})});
  kube::Pod placed = pod;
  placed.meta.name = placed.meta.uid = "placed";
  placed.spec.node_name = "a";
  placed.status.phase = kube::PodPhase::kRunning;
  given_.Add(std::move(pod)).Add(std::move(placed));
  Open();
  EXPECT_EQ(Why("p", "a"), "node(s) didn't match pod topology spread constraints");
  EXPECT_EQ(Why("p", "b"), "");
  EXPECT_THAT(Why("p", "c"), HasSubstr("missing required label"));
}

TEST_F(PredicatesTest, VolumesRestrictNodes) {
  given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
  auto& objects = given_.cluster.mutable_objects();
  kube::StorageClass local;
  local.meta.name = "local";
  local.provisioner = "kubernetes.io/no-provisioner";
  local.wait_for_first_consumer = true;
  objects.storage_classes.Set(std::make_shared<const kube::StorageClass>(local));
  kube::PersistentVolume volume;
  volume.meta.name = "pv";
  volume.storage_class_name = "local";
  volume.phase = kube::PersistentVolume::Phase::kAvailable;
  volume.capacity = testutil::Resources({{"storage", "10Gi"}});
  volume.node_affinity.emplace().terms.push_back(
      {.match_expressions = {
           {.key = "zone", .op = kube::NodeSelectorRequirement::Operator::kIn, .values = {"z2"}}}});
  objects.volumes.Set(std::make_shared<const kube::PersistentVolume>(volume));
  kube::PersistentVolumeClaim claim;
  claim.meta.ns = "ns";
  claim.meta.name = "data";
  claim.storage_class_name = "local";
  claim.requests = testutil::Resources({{"storage", "5Gi"}});
  objects.volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  const auto using_claim = [](const char* name, const char* source) {
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    pod.spec.volumes.push_back(
        {.name = "v", .kind = kube::Volume::Kind::kPersistentVolumeClaim, .source = source});
    return pod;
  };
  given_.Add(using_claim("p", "data")).Add(using_claim("q", "gone"));
  Session& session = Open();
  EXPECT_TRUE(session.CheckTask(given_.task("p")).ok());
  EXPECT_THAT(Why("p", "a"), HasSubstr("persistent volumes to bind"));
  EXPECT_EQ(Why("p", "b"), "");
  EXPECT_EQ(session.CheckTask(given_.task("q")).reason, "persistentvolumeclaim \"gone\" not found");
}

// Claims that wait for their pods' nodes, and what they may get.
class VolumePlansTest : public PredicatesTest {
 protected:
  VolumePlansTest() {
    given_.Add(NodeInZone("a", "z1")).Add(NodeInZone("b", "z2"));
    AddClass("local", "kubernetes.io/no-provisioner");
    AddClass("made", "csi.example.com");
  }
  void AddClass(const char* name, const char* provisioner) {
    kube::StorageClass storage_class;
    storage_class.meta.name = name;
    storage_class.provisioner = provisioner;
    storage_class.wait_for_first_consumer = true;
    if (storage_class.meta.name == "made") {
      storage_class.allowed_topologies.push_back(
          {.expressions = {{.key = "zone", .values = {"z2"}}}});
    }
    objects().storage_classes.Set(std::make_shared<const kube::StorageClass>(storage_class));
  }
  void AddVolume(const char* name, const char* size) {
    kube::PersistentVolume volume;
    volume.meta.name = name;
    volume.storage_class_name = "local";
    volume.phase = kube::PersistentVolume::Phase::kAvailable;
    volume.capacity = testutil::Resources({{"storage", size}});
    objects().volumes.Set(std::make_shared<const kube::PersistentVolume>(volume));
  }
  void AddPodWithClaim(const char* name, const char* storage_class, const char* size) {
    kube::PersistentVolumeClaim claim;
    claim.meta.ns = "ns";
    claim.meta.name = claim.meta.uid = std::string(name) + "-data";
    claim.storage_class_name = storage_class;
    claim.requests = testutil::Resources({{"storage", size}});
    objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    pod.spec.volumes.push_back({.name = "v",
                                .kind = kube::Volume::Kind::kPersistentVolumeClaim,
                                .source = claim.meta.name});
    given_.Add(std::move(pod));
  }
  void MakeForOnePod(const char* name) {
    kube::PersistentVolumeClaim claim = *objects().volume_claims.Find(name);
    claim.access_modes = {"ReadWriteOncePod"};
    objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  }
  model::Objects& objects() { return given_.cluster.mutable_objects(); }
};

TEST_F(VolumePlansTest, TwoPodsOfOneCycleNeverTakeOneVolume) {
  AddVolume("large", "10Gi");
  AddVolume("small", "5Gi");
  for (const char* pod : {"p", "q", "r"}) AddPodWithClaim(pod, "local", "4Gi");
  Session& session = Open();
  Statement statement(session);
  statement.Allocate(given_.task("p").id, given_.node("a").id);
  EXPECT_EQ(Why("q", "a"), "");
  statement.Allocate(given_.task("q").id, given_.node("a").id);
  EXPECT_THAT(Why("r", "a"), HasSubstr("persistent volumes to bind"));
  const auto before_q = statement.Mark() - 1;
  statement.RollbackTo(before_q);
  EXPECT_EQ(Why("r", "a"), "");
  statement.Allocate(given_.task("r").id, given_.node("a").id);
  statement.Commit();
  std::vector<std::string> volumes;
  for (const model::Intent& intent : session.intents()) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      ASSERT_EQ(bind->volumes.size(), 1u);
      volumes.push_back(bind->pod->meta.name + " " + bind->volumes[0].volume);
    }
  }
  EXPECT_THAT(volumes, testing::ElementsAre("p small", "r large"));
}

TEST_F(VolumePlansTest, AClaimIsBoundOnceTheVolumeIsItsOwn) {
  AddVolume("pv", "10Gi");
  AddPodWithClaim("p", "local", "4Gi");
  kube::PersistentVolumeClaim claim = *objects().volume_claims.Find("ns/p-data");
  claim.volume_name = "pv";
  objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  EXPECT_EQ(Open().CheckTask(given_.task("p")).reason,
            "pod has unbound immediate PersistentVolumeClaims");
  claim.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
  objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  EXPECT_TRUE(Open().CheckTask(given_.task("p")).ok());
}

TEST_F(VolumePlansTest, AnEphemeralVolumeTakesNoClaimThatWasNotMadeForItsPod) {
  AddPodWithClaim("p", "made", "4Gi");  // its claim is p-data
  kube::Pod pod = MakePod("p", "", {{"cpu", "1"}});
  pod.meta.uid = "another";
  pod.spec.volumes.push_back({.name = "data", .kind = kube::Volume::Kind::kEphemeral});
  given_.Add(pod);
  EXPECT_THAT(std::string(Open().CheckTask(given_.task("p")).reason),
              HasSubstr("\"p-data\" was not made for this pod"));
  kube::PersistentVolumeClaim claim = *objects().volume_claims.Find("ns/p-data");
  claim.meta.owner_references.push_back(
      {.api_version = "v1", .kind = "Pod", .name = "p", .uid = "another", .controller = true});
  objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  EXPECT_TRUE(Open().CheckTask(given_.task("p")).ok());
}

TEST_F(VolumePlansTest, AVolumesOldZoneLabelMeansTheNodesNewOne) {
  AddVolume("pv", "10Gi");
  kube::PersistentVolume volume = *objects().volumes.Find("pv");
  volume.meta.labels.Set("failure-domain.beta.kubernetes.io/zone", "z2__z3");
  objects().volumes.Set(std::make_shared<const kube::PersistentVolume>(volume));
  AddPodWithClaim("p", "local", "4Gi");
  kube::PersistentVolumeClaim claim = *objects().volume_claims.Find("ns/p-data");
  claim.volume_name = "pv";
  claim.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
  objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  for (const char* zone : {"z1", "z2"}) {
    kube::Node node = MakeNode(zone, {{"cpu", "8"}});
    node.meta.labels.Set("topology.kubernetes.io/zone", zone);
    given_.Add(std::move(node));
  }
  Open();
  EXPECT_EQ(Why("p", "z1"), "node(s) had no available volume zone");
  EXPECT_EQ(Why("p", "z2"), "");
}

TEST_F(VolumePlansTest, AClaimForOnePodIsUsedByOneAtATime) {
  AddPodWithClaim("p", "made", "4Gi");
  MakeForOnePod("ns/p-data");
  kube::Pod second = MakePod("q", "", {{"cpu", "1"}});
  second.spec.volumes = given_.task("p").pod->spec.volumes;
  given_.Add(std::move(second));
  Session& session = Open();
  EXPECT_EQ(Why("q", "b"), "");
  Statement statement(session);
  statement.Allocate(given_.task("p").id, given_.node("b").id);
  EXPECT_THAT(Why("q", "b"), HasSubstr("ReadWriteOncePod"));
  EXPECT_EQ(Why("p", "b"), "") << "it does not stand in its own way";
  EXPECT_THAT(session.finder().Explain(given_.task("q"), NodeFinder::Room::kChecked).Message(),
              HasSubstr("and ReadWriteOncePod access mode"));
  statement.Discard();
  EXPECT_EQ(Why("q", "b"), "");
  kube::Pod running = *given_.task("p").pod;
  running.spec.node_name = "b";
  running.status.phase = kube::PodPhase::kRunning;
  given_.Add(std::move(running));
  Open();
  EXPECT_THAT(Why("q", "b"), HasSubstr("ReadWriteOncePod")) << "since before the session";
}

TEST_F(VolumePlansTest, APodIsNotInItsOwnWayHoweverOftenItMountsAClaimForOnePod) {
  for (const char* name : {"p", "q"}) AddPodWithClaim(name, "made", "4Gi");
  for (const char* name : {"ns/p-data", "ns/q-data"}) MakeForOnePod(name);
  kube::Pod both = MakePod("both", "", {{"cpu", "1"}});
  for (const char* pod : {"p", "q", "p"}) {
    both.spec.volumes.push_back(given_.task(pod).pod->spec.volumes[0]);
  }
  given_.Add(std::move(both));
  Statement statement(Open());
  statement.Allocate(given_.task("both").id, given_.node("b").id);
  EXPECT_EQ(Why("both", "b"), "");
}

// Until then others may take what it could get, wherever they are.
TEST_F(VolumePlansTest, OnceItsClaimsAreBoundAPodIsJudgedByEachNodeAlone) {
  AddVolume("pv", "10Gi");
  AddPodWithClaim("p", "local", "4Gi");
  const auto depends_on_others = [&] {
    Open();
    std::vector<NodeFilter::Part> parts;
    plugins_->hooks<NodeFilter>().front().front()->FilterParts(given_.task("p"), &parts);
    return std::ranges::any_of(
        parts, [](const NodeFilter::Part& part) { return part.depends_on == DependsOn::kCluster; });
  };
  EXPECT_TRUE(depends_on_others());
  kube::PersistentVolumeClaim claim = *objects().volume_claims.Find("ns/p-data");
  claim.volume_name = "pv";
  objects().volume_claims.Set(std::make_shared<const kube::PersistentVolumeClaim>(claim));
  EXPECT_FALSE(depends_on_others());
}

TEST_F(VolumePlansTest, AVolumeIsMadeOnlyWhereItsClassAllows) {
  AddPodWithClaim("p", "made", "4Gi");
  Session& session = Open();
  EXPECT_THAT(Why("p", "a"), HasSubstr("persistent volumes to bind"));
  EXPECT_EQ(Why("p", "b"), "");
  Statement statement(session);
  statement.Allocate(given_.task("p").id, given_.node("b").id);
  statement.Commit();
  const auto& bind = std::get<model::Bind>(session.intents().front());
  ASSERT_EQ(bind.volumes.size(), 1u);
  EXPECT_EQ(bind.volumes[0].claim, "p-data");
  EXPECT_EQ(bind.volumes[0].volume, "");
}

TEST_F(VolumePlansTest, ADriverAttachesSoManyVolumesToANode) {
  kube::CsiNode csi_node;
  csi_node.meta.name = "b";
  csi_node.drivers.push_back({.name = "csi.example.com", .allocatable_count = 1});
  objects().csi_nodes.Set(std::make_shared<const kube::CsiNode>(csi_node));
  AddPodWithClaim("p", "made", "4Gi");
  AddPodWithClaim("q", "made", "4Gi");
  Session& session = Open();
  EXPECT_EQ(Why("q", "b"), "");
  Statement statement(session);
  statement.Allocate(given_.task("p").id, given_.node("b").id);
  EXPECT_EQ(Why("q", "b"), "node(s) exceed max volume count");
  statement.Commit();
  Open({{"predicate.NodeVolumeLimitsEnable", false}});
  EXPECT_EQ(Why("q", "b"), "");
}

TEST_F(VolumePlansTest, AVolumeThatPodsShareCountsOnceUntilTheLastOfThemIsGone) {
  kube::CsiNode csi_node;
  csi_node.meta.name = "b";
  csi_node.drivers.push_back({.name = "csi.example.com", .allocatable_count = 1});
  objects().csi_nodes.Set(std::make_shared<const kube::CsiNode>(csi_node));
  AddPodWithClaim("p", "made", "4Gi");
  AddPodWithClaim("other", "made", "4Gi");
  kube::Pod sharing = MakePod("sharing", "", {{"cpu", "1"}});
  sharing.spec.volumes = given_.task("p").pod->spec.volumes;
  given_.Add(std::move(sharing));
  Session& session = Open();
  Statement statement(session);
  statement.Allocate(given_.task("p").id, given_.node("b").id);
  EXPECT_EQ(Why("p", "b"), "");  // it does not stand in its own way
  EXPECT_EQ(Why("sharing", "b"), "");
  statement.Allocate(given_.task("sharing").id, given_.node("b").id);
  EXPECT_EQ(Why("other", "b"), "node(s) exceed max volume count");
  statement.Unallocate(given_.task("p").id);
  EXPECT_EQ(Why("other", "b"), "node(s) exceed max volume count");
  statement.Unallocate(given_.task("sharing").id);
  EXPECT_EQ(Why("other", "b"), "");
}

}  // namespace
}  // namespace basalt::scheduler::plugins
