// Claims, volumes and what nodes can attach, rule by rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/reasons.h"
#include "scheduler/plugins/predicates/volume_claims.h"
#include "scheduler/plugins/predicates/volume_plans.h"
#include "scheduler/plugins/predicates/volume_use.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;
using testutil::TestCluster;
using Claim = kube::PersistentVolumeClaim;
using PersistentVolume = kube::PersistentVolume;

Claim MakeClaim(std::string name, const char* size = "1Gi") {
  Claim claim;
  claim.meta.ns = "ns";
  claim.meta.uid = name;
  claim.meta.name = std::move(name);
  claim.access_modes = {"ReadWriteOnce"};
  claim.storage_class_name = "local";
  claim.requests = testutil::Resources({{"storage", size}});
  return claim;
}

PersistentVolume MakeVolume(std::string name, const char* size = "1Gi") {
  PersistentVolume volume;
  volume.meta.name = std::move(name);
  volume.access_modes = {"ReadWriteOnce"};
  volume.storage_class_name = "local";
  volume.capacity = testutil::Resources({{"storage", size}});
  volume.phase = PersistentVolume::Phase::kAvailable;
  return volume;
}

kube::Pod WithClaims(kube::Pod pod, std::initializer_list<const char*> claims) {
  for (const char* claim : claims) {
    pod.spec.volumes.push_back(
        {.name = claim, .kind = kube::Volume::Kind::kPersistentVolumeClaim, .source = claim});
  }
  return pod;
}

kube::NodeSelector OnlyOn(std::string node) {
  kube::NodeSelector selector;
  kube::NodeSelectorRequirement requirement;
  requirement.key = "host";
  requirement.op = kube::NodeSelectorRequirement::Operator::kIn;
  requirement.values = {std::move(node)};
  selector.terms.emplace_back().match_expressions.push_back(std::move(requirement));
  return selector;
}

// ---- which volume a claim may get

struct HoldRow {
  const char* name;
  void (*make)(PersistentVolume& volume, Claim& claim);
  bool may = true;
};

class MayHoldTest : public testing::TestWithParam<HoldRow> {};

TEST_P(MayHoldTest, AClaimGetsAVolumeThatSuitsIt) {
  Claim claim = MakeClaim("c");
  PersistentVolume volume = MakeVolume("v");
  GetParam().make(volume, claim);
  EXPECT_EQ(MayHold(volume, claim), GetParam().may);
}

void ClaimedBy(PersistentVolume& volume, std::string ns, std::string name, std::string uid) {
  volume.claim_ref.emplace();
  volume.claim_ref->ns = std::move(ns);
  volume.claim_ref->name = std::move(name);
  volume.claim_ref->uid = std::move(uid);
}

INSTANTIATE_TEST_SUITE_P(
    Volumes, MayHoldTest,
    testing::ValuesIn<HoldRow>({
        {"OneThatIsLikeIt", [](PersistentVolume&, Claim&) {}},
        {"ALargerOne",
         [](PersistentVolume& volume, Claim&) {
           volume.capacity = testutil::Resources({{"storage", "2Gi"}});
         }},
        {"NoSmallerOne",
         [](PersistentVolume& volume, Claim&) {
           volume.capacity = testutil::Resources({{"storage", "1023Mi"}});
         },
         false},
        {"NoneOfAnotherClass",
         [](PersistentVolume& volume, Claim&) { volume.storage_class_name = "other"; }, false},
        {"OneWithoutAClassWhereItNamesNone",
         [](PersistentVolume& volume, Claim& claim) {
           volume.storage_class_name = "";
           claim.storage_class_name.reset();
         }},
        {"OneThatIsBeingMade", [](PersistentVolume& volume,
                                  Claim&) { volume.phase = PersistentVolume::Phase::kPending; }},
        {"NoneThatWasReleased",
         [](PersistentVolume& volume, Claim&) {
           volume.phase = PersistentVolume::Phase::kReleased;
         },
         false},
        {"NoneThatIsBound",
         [](PersistentVolume& volume, Claim&) { volume.phase = PersistentVolume::Phase::kBound; },
         false},
        {"NoneThatIsBeingDeleted",
         [](PersistentVolume& volume, Claim&) {
           volume.meta.deletion_timestamp = testutil::kTestNow;
         },
         false},
        {"AFileSystemIsWhatIsMeantWhereNothingIsSaid",
         [](PersistentVolume& volume, Claim&) { volume.volume_mode = "Filesystem"; }},
        {"NoBlockDeviceForAFileSystem",
         [](PersistentVolume& volume, Claim&) { volume.volume_mode = "Block"; }, false},
        {"OneWithMoreModesThanItAsksFor",
         [](PersistentVolume& volume, Claim&) {
           volume.access_modes = {"ReadWriteMany", "ReadWriteOnce"};
         }},
        {"NoneThatLacksAMode",
         [](PersistentVolume&, Claim& claim) {
           claim.access_modes = {"ReadWriteOnce", "ReadOnlyMany"};
         },
         false},
        {"OneThatItsSelectorSelects",
         [](PersistentVolume& volume, Claim& claim) {
           volume.meta.labels.Set("disk", "fast");
           claim.selector = kube::LabelSelector::OfLabels({{"disk", "fast"}});
         }},
        {"NoneThatItsSelectorDoesNotSelect",
         [](PersistentVolume&, Claim& claim) {
           claim.selector = kube::LabelSelector::OfLabels({{"disk", "fast"}});
         },
         false},
        {"OneThatNamesItHoweverSmall",
         [](PersistentVolume& volume, Claim&) {
           ClaimedBy(volume, "ns", "c", "");
           volume.capacity = testutil::Resources({{"storage", "1"}});
         }},
        {"OneThatIsItsOwn",
         [](PersistentVolume& volume, Claim&) { ClaimedBy(volume, "ns", "c", "c"); }},
        {"NoneOfAClaimOfThatNameThatIsGone",
         [](PersistentVolume& volume, Claim&) { ClaimedBy(volume, "ns", "c", "old"); }, false},
        {"NoneOfAnotherClaim",
         [](PersistentVolume& volume, Claim&) { ClaimedBy(volume, "ns", "d", ""); }, false},
        {"NoneOfAClaimOfThatNameElsewhere",
         [](PersistentVolume& volume, Claim&) { ClaimedBy(volume, "other", "c", ""); }, false},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST(VolumeClaimsTest, AnEphemeralVolumesClaimIsNamedAfterThePodAndMadeForIt) {
  kube::Pod pod = WithClaims(MakePod("p", "", {}), {"c"});
  pod.spec.volumes.push_back({.name = "scratch", .kind = kube::Volume::Kind::kEphemeral});
  pod.spec.volumes.push_back({.name = "config"});
  TestCluster given;
  given.Add(pod);
  const std::vector<ClaimUse> uses = ClaimsOf(given.cluster, given.task("p"));
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].name, "c");
  EXPECT_FALSE(uses[0].ephemeral);
  EXPECT_EQ(uses[1].name, "p-scratch");
  EXPECT_TRUE(uses[1].ephemeral);
  Claim claim = MakeClaim("p-scratch");
  EXPECT_FALSE(IsMadeFor(claim, pod));
  claim.meta.owner_references.push_back({.uid = pod.meta.uid, .controller = true});
  EXPECT_TRUE(IsMadeFor(claim, pod));
  pod.meta.uid = "another";
  EXPECT_FALSE(IsMadeFor(claim, pod));
}

TEST(VolumeClaimsTest, AClaimIsBoundWhenItNamesItsVolumeAndTheBindingIsDone) {
  Claim claim = MakeClaim("c");
  EXPECT_FALSE(IsBound(claim));
  claim.volume_name = "v";
  EXPECT_FALSE(IsBound(claim)) << "the volume may be another's";
  claim.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
  EXPECT_TRUE(IsBound(claim));
  claim.volume_name.clear();
  EXPECT_FALSE(IsBound(claim));
}

TEST(VolumeClaimsTest, AProvisionerMakesVolumesWhereItsTopologiesAllow) {
  kube::StorageClass made;
  kube::Node node = MakeNode("n", {});
  node.meta.labels.Set("zone", "a");
  node.meta.labels.Set("rack", "1");
  EXPECT_FALSE(CanProvision(made, node)) << "nobody makes them";
  made.provisioner = "kubernetes.io/no-provisioner";
  EXPECT_FALSE(CanProvision(made, node));
  made.provisioner = "example.com/disks";
  EXPECT_TRUE(CanProvision(made, node));
  made.allowed_topologies = {{.expressions = {{.key = "zone", .values = {"b", "c"}}}}};
  EXPECT_FALSE(CanProvision(made, node));
  made.allowed_topologies.push_back(
      {.expressions = {{.key = "zone", .values = {"a"}}, {.key = "rack", .values = {"2"}}}});
  EXPECT_FALSE(CanProvision(made, node)) << "all of a term must hold";
  made.allowed_topologies.push_back({.expressions = {{.key = "rack", .values = {"1"}}}});
  EXPECT_TRUE(CanProvision(made, node)) << "any term will do";
  made.allowed_topologies = {{.expressions = {{.key = "room", .values = {""}}}}};
  EXPECT_FALSE(CanProvision(made, node)) << "the node has no such label";
}

// ---- what is chosen for tasks that have a place

class VolumesTest : public testing::Test {
 protected:
  VolumesTest() {
    for (const char* name : {"n1", "n2"}) {
      kube::Node node = MakeNode(name, {{"cpu", "8"}});
      node.meta.labels.Set("host", name);
      given_.Add(std::move(node));
    }
    SetClass("local", "kubernetes.io/no-provisioner");
    SetClass("made", "example.com/disks");
  }
  void SetClass(std::string name, std::string provisioner) {
    kube::StorageClass storage_class;
    storage_class.meta.name = std::move(name);
    storage_class.provisioner = std::move(provisioner);
    storage_class.wait_for_first_consumer = true;
    Objects().storage_classes.Set(
        std::make_shared<const kube::StorageClass>(std::move(storage_class)));
  }
  model::Objects& Objects() { return given_.cluster.mutable_objects(); }
  void Set(Claim claim) {
    Objects().volume_claims.Set(std::make_shared<const Claim>(std::move(claim)));
  }
  void Set(PersistentVolume volume) {
    Objects().volumes.Set(std::make_shared<const PersistentVolume>(std::move(volume)));
  }
  const model::Task& AddPod(const char* name, std::initializer_list<const char*> claims) {
    given_.Add(WithClaims(MakePod(name, "", {{"cpu", "1"}}), claims));
    return given_.task(name);
  }
  void Place(const char* name, const char* node) {
    given_.cluster.Move(given_.task(name).id,
                        {.status = TaskStatus::kAllocated, .node = given_.node(node).id});
    plans_.TaskMoved(given_.task(name));
  }
  void TakeBack(const char* name) {
    given_.cluster.Move(given_.task(name).id, {});
    plans_.TaskMoved(given_.task(name));
  }
  static std::vector<std::string> Volumes(const VolumePlans::Choices& choices) {
    std::vector<std::string> names;
    for (const model::VolumeChoice& choice : choices) {
      names.push_back(choice.claim + "=" + (choice.volume.empty() ? "new" : choice.volume));
    }
    return names;
  }
  std::vector<std::string> MatchOn(const char* pod, const char* node) {
    const auto match = plans_.Match(given_.task(pod), given_.node(node));
    return match ? Volumes(*match) : std::vector<std::string>{"none"};
  }

  // Pods p and q, each with a claim of its own, and one volume that would do for both.
  void OpenWithTwoPodsForOneVolume() {
    Set(MakeClaim("a"));
    Set(MakeClaim("b"));
    Set(MakeVolume("v1"));
    AddPod("p", {"a"});
    AddPod("q", {"b"});
    plans_.Open(given_.cluster);
  }

  TestCluster given_;
  VolumePlans plans_;
};

TEST_F(VolumesTest, NoTwoTasksTakeOneVolume) {
  OpenWithTwoPodsForOneVolume();
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("b=v1"));
  Place("p", "n1");
  EXPECT_THAT(Volumes(plans_.ChoicesOf(given_.task("p"))), ElementsAre("a=v1"));
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("none"));
  EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("a=v1")) << "its own choice is in nobody's way";
  Place("q", "n1");
  EXPECT_THAT(plans_.ChoicesOf(given_.task("q")), IsEmpty()) << "there is none, wherever it stands";
  TakeBack("p");
  EXPECT_THAT(plans_.ChoicesOf(given_.task("p")), IsEmpty());
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("b=v1"));
}

TEST_F(VolumesTest, ATaskThatIsMovedChoosesAnew) {
  Set(MakeClaim("a"));
  PersistentVolume on_n1 = MakeVolume("v1");
  on_n1.node_affinity = OnlyOn("n1");
  PersistentVolume on_n2 = MakeVolume("v2");
  on_n2.node_affinity = OnlyOn("n2");
  Set(std::move(on_n1));
  Set(std::move(on_n2));
  AddPod("p", {"a"});
  plans_.Open(given_.cluster);
  Place("p", "n1");
  EXPECT_THAT(Volumes(plans_.ChoicesOf(given_.task("p"))), ElementsAre("a=v1"));
  Place("p", "n2");
  EXPECT_THAT(Volumes(plans_.ChoicesOf(given_.task("p"))), ElementsAre("a=v2"));
  Set(MakeClaim("b"));
  AddPod("q", {"b"});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("b=v1")) << "it was given back";
}

TEST_F(VolumesTest, AChoiceGoesWithItsTasksPlaceFromSessionToSession) {
  OpenWithTwoPodsForOneVolume();
  Place("p", "n1");
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("none")) << "it still stands there";
  given_.cluster.Move(given_.task("p").id, {});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("b=v1"));
  Place("p", "n1");
  given_.cluster.Move(given_.task("p").id,
                      {.status = TaskStatus::kAllocated, .node = given_.node("n2").id});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("b=v1")) << "it stands elsewhere";
  Place("p", "n1");
  given_.cluster.RemovePod("ns", "p");
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("b=v1")) << "it is gone";
}

TEST_F(VolumesTest, TasksThatShareAClaimShareItsVolume) {
  Set(MakeClaim("a"));
  Set(MakeClaim("b"));
  PersistentVolume volume = MakeVolume("v1");
  volume.node_affinity = OnlyOn("n1");
  Set(std::move(volume));
  Set(MakeVolume("v2"));
  AddPod("p", {"a", "b"});
  AddPod("q", {"a"});
  plans_.Open(given_.cluster);
  Place("p", "n1");
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("a=v1"));
  EXPECT_THAT(MatchOn("q", "n2"), ElementsAre("none")) << "the volume cannot be used there";
  Objects().volumes.Erase("v1");
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("none")) << "the volume is gone";
}

TEST_F(VolumesTest, AVolumeThatIsBeingMadeIsWhereItsFirstUserIs) {
  Claim claim = MakeClaim("a");
  claim.storage_class_name = "made";
  Set(std::move(claim));
  AddPod("p", {"a"});
  AddPod("q", {"a"});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("q", "n2"), ElementsAre("a=new"));
  Place("p", "n1");
  EXPECT_THAT(MatchOn("q", "n1"), ElementsAre("a=new"));
  EXPECT_THAT(MatchOn("q", "n2"), ElementsAre("none"));
}

TEST_F(VolumesTest, AClaimForWhichAProvisionerIsAtWorkElsewhereWaitsForThatNode) {
  Claim claim = MakeClaim("a");
  claim.storage_class_name = "made";
  claim.meta.annotations.Set("volume.kubernetes.io/selected-node", "n2");
  Set(std::move(claim));
  AddPod("p", {"a"});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("none"));
  EXPECT_THAT(MatchOn("p", "n2"), ElementsAre("a=new"));
}

TEST_F(VolumesTest, SmallClaimsDoNotTakeTheVolumesThatLargerOnesNeed) {
  Set(MakeClaim("large", "5Gi"));
  Set(MakeClaim("small", "1Gi"));
  Set(MakeVolume("v1", "9Gi"));
  Set(MakeVolume("v2", "2Gi"));
  AddPod("p", {"large", "small"});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("small=v2", "large=v1"));
}

TEST_F(VolumesTest, OneVolumeDoesForOneOfAPodsClaimsAlone) {
  Set(MakeClaim("a"));
  Set(MakeClaim("b"));
  Set(MakeVolume("v1"));
  AddPod("p", {"a", "b"});
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("none"));
  Set(MakeVolume("v2"));
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("a=v1", "b=v2"));
}

TEST_F(VolumesTest, AVolumeThatIsGoneIsNotChosen) {
  Set(MakeClaim("a"));
  AddPod("p", {"a"});
  for (const bool names_it : {false, true}) {
    PersistentVolume made = MakeVolume("v1");
    if (names_it) ClaimedBy(made, "ns", "a", "a");
    const auto volume = std::make_shared<const PersistentVolume>(std::move(made));  // lives on here
    Objects().volumes.Set(volume);
    plans_.Open(given_.cluster);
    EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("a=v1"));
    Objects().volumes.Erase("v1");
    plans_.Open(given_.cluster);
    EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("none"));
  }
}

TEST_F(VolumesTest, AnotherClusterHasVolumesOfItsOwn) {
  Set(MakeClaim("a"));
  AddPod("p", {"a"});
  TestCluster other;
  other.Add(MakeNode("n1", {})).Add(*given_.task("p").pod);
  other.cluster.mutable_objects() = Objects();
  Set(MakeVolume("v1"));
  other.cluster.mutable_objects().volumes.Set(
      std::make_shared<const PersistentVolume>(MakeVolume("v2")));
  plans_.Open(given_.cluster);
  EXPECT_THAT(MatchOn("p", "n1"), ElementsAre("a=v1"));
  plans_.Open(other.cluster);
  const auto match = plans_.Match(other.task("p"), other.node("n1"));
  ASSERT_TRUE(match.has_value());
  EXPECT_THAT(Volumes(*match), ElementsAre("a=v2"));
}

TEST_F(VolumesTest, AVolumeThatNamesTheClaimGoesBeforeASmallerOne) {
  Set(MakeClaim("a"));
  Set(MakeVolume("v1", "1Gi"));
  PersistentVolume own = MakeVolume("v2", "9Gi");
  ClaimedBy(own, "ns", "a", "a");
  Set(std::move(own));
  AddPod("p", {"a"});
  plans_.Open(given_.cluster);
  const auto match = plans_.Match(given_.task("p"), given_.node("n1"));
  ASSERT_TRUE(match.has_value());
  EXPECT_THAT(Volumes(*match), ElementsAre("a=v2"));
  EXPECT_TRUE(match->front().prebound);
}

// ---- claims that keep a pod from every node

struct ClaimRow {
  const char* name;
  void (*make)(Claim& claim);
  const char* why;  // "": it may go on
};

class CheckClaimsTest : public VolumesTest, public testing::WithParamInterface<ClaimRow> {};

TEST_P(CheckClaimsTest, AClaimIsThereAndBoundOrWaitsForItsPod) {
  Claim claim = MakeClaim("c");
  SetClass("other", "example.com/disks");
  kube::StorageClass now;
  now.meta.name = "now";
  Objects().storage_classes.Set(std::make_shared<const kube::StorageClass>(std::move(now)));
  GetParam().make(claim);
  Set(std::move(claim));
  const model::Task& task = AddPod("p", {"c"});
  Reasons reasons;
  EXPECT_EQ(CheckClaims(given_.cluster, task, reasons).reason, GetParam().why);
}

constexpr const char* kImmediate = "pod has unbound immediate PersistentVolumeClaims";
INSTANTIATE_TEST_SUITE_P(
    Volumes, CheckClaimsTest,
    testing::ValuesIn<ClaimRow>({
        {"OneThatWaitsForItsPod", [](Claim&) {}, ""},
        {"OneThatIsBound",
         [](Claim& claim) {
           claim.volume_name = "v";
           claim.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
         },
         ""},
        {"OneThatNamesAVolumeThatIsNotItsOwnYet", [](Claim& claim) { claim.volume_name = "v"; },
         kImmediate},
        {"OneOfAClassThatDoesNotWait", [](Claim& claim) { claim.storage_class_name = "now"; },
         kImmediate},
        {"OneOfAClassThatDoesNotExist", [](Claim& claim) { claim.storage_class_name = "none"; },
         kImmediate},
        {"OneThatIsBeingDeleted",
         [](Claim& claim) { claim.meta.deletion_timestamp = testutil::kTestNow; },
         "persistentvolumeclaim \"c\" is being deleted"},
        {"OneOfAnotherNamespace", [](Claim& claim) { claim.meta.ns = "other"; },
         "persistentvolumeclaim \"c\" not found"},
    }),
    [](const auto& row) { return std::string(row.param.name); });

// ---- zones

struct ZoneRow {
  const char* name;
  const char* volume_label;
  const char* volume_zones;
  const char* node_label;  // "": it has none
  const char* node_zone;
  bool fits;
};

class VolumeZoneTest : public VolumesTest, public testing::WithParamInterface<ZoneRow> {};

TEST_P(VolumeZoneTest, ABoundVolumeIsUsedInItsZones) {
  const ZoneRow& row = GetParam();
  PersistentVolume volume = MakeVolume("v");
  volume.meta.labels.Set(row.volume_label, row.volume_zones);
  Set(std::move(volume));
  Claim claim = MakeClaim("c");
  claim.volume_name = "v";
  claim.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
  Set(std::move(claim));
  kube::Node node = MakeNode("n3", {{"cpu", "8"}});
  if (*row.node_label) node.meta.labels.Set(row.node_label, row.node_zone);
  given_.Add(std::move(node));
  AddPod("p", {"c"});
  plans_.Open(given_.cluster);
  for (const bool counts : {true, false}) {
    const Verdict verdict = CheckVolumes(plans_, given_.task("p"), given_.node("n3"),
                                         {.zone = counts, .binding = true});
    EXPECT_EQ(verdict.ok(), row.fits || !counts) << "zones count: " << counts;
  }
}

constexpr const char* kZone = "topology.kubernetes.io/zone";
constexpr const char* kRegion = "topology.kubernetes.io/region";
constexpr const char* kOldZone = "failure-domain.beta.kubernetes.io/zone";
INSTANTIATE_TEST_SUITE_P(Volumes, VolumeZoneTest,
                         testing::ValuesIn<ZoneRow>({
                             {"TheSameZone", kZone, "a", kZone, "a", true},
                             {"AnotherZone", kZone, "a", kZone, "b", false},
                             {"OneOfSeveral", kZone, "a__b__c", kZone, "b", true},
                             {"NoneOfSeveral", kZone, "a__b__c", kZone, "d", false},
                             {"APartOfANameIsNoZone", kZone, "ab__c", kZone, "a", false},
                             {"ANodeWithoutZones", kZone, "a", "", "", true},
                             {"ANodeThatNamesItsRegionAlone", kZone, "a", kRegion, "r", false},
                             {"AnotherRegion", kRegion, "r", kRegion, "s", false},
                             {"ALabelThatIsGivenUpOnTheVolume", kOldZone, "a", kZone, "a", true},
                             {"AnotherZoneByALabelThatIsGivenUp", kOldZone, "a", kZone, "b", false},
                         }),
                         [](const auto& row) { return std::string(row.param.name); });

// ---- how many a node can attach

class VolumeUseTest : public VolumesTest {
 protected:
  void Limit(const char* node, const char* driver, std::optional<int> most) {
    kube::CsiNode object;
    object.meta.name = node;
    object.drivers.push_back({.name = driver, .allocatable_count = most});
    Objects().csi_nodes.Set(std::make_shared<const kube::CsiNode>(std::move(object)));
  }
  // A claim that is bound to a volume of that driver.
  void Bound(const char* claim_name, const char* driver, const char* handle) {
    PersistentVolume volume = MakeVolume(std::string("v-") + claim_name);
    volume.csi_driver = driver;
    volume.csi_volume_handle = handle;
    Set(std::move(volume));
    Claim claim = MakeClaim(claim_name);
    claim.volume_name = std::string("v-") + claim_name;
    Set(std::move(claim));
  }
  void Run(const char* name, const char* node, std::initializer_list<const char*> claims) {
    given_.Add(WithClaims(MakeRunningPod(name, "", {{"cpu", "1"}}, node), claims));
  }
  bool Fits(const char* pod, const char* node) {
    use_.Open(given_.cluster);
    return use_.Check(given_.task(pod), given_.node(node)).ok();
  }
  VolumeUse use_;
};

TEST_F(VolumeUseTest, ADriverAttachesSoManyVolumesOnANodeAndOthersAsManyAsTheyCan) {
  Limit("n1", "d", 1);
  Bound("a", "d", "1");
  Bound("b", "d", "2");
  Bound("other", "e", "3");
  Run("r", "n1", {"a"});
  AddPod("p", {"b"});
  AddPod("q", {"other"});
  EXPECT_FALSE(Fits("p", "n1"));
  EXPECT_TRUE(Fits("p", "n2")) << "nothing is known of its drivers";
  EXPECT_TRUE(Fits("q", "n1")) << "another driver";
  Limit("n1", "d", 2);
  EXPECT_TRUE(Fits("p", "n1"));
  Limit("n1", "d", std::nullopt);
  EXPECT_TRUE(Fits("p", "n1")) << "there is no limit";
  Limit("n1", "d", -3);
  EXPECT_FALSE(Fits("p", "n1")) << "less than nothing is nothing";
}

TEST_F(VolumeUseTest, AVolumeThatPodsShareCountsOnce) {
  Limit("n1", "d", 2);
  Bound("a", "d", "1");
  Bound("b", "d", "2");
  Bound("c", "d", "3");
  Run("r1", "n1", {"a"});
  Run("r2", "n1", {"a"});
  AddPod("p", {"a"});
  AddPod("q", {"b"});
  AddPod("both", {"b", "b"});
  AddPod("two", {"b", "c"});
  AddPod("again", {"b", "c", "b"});
  EXPECT_TRUE(Fits("p", "n1")) << "it is there already";
  EXPECT_TRUE(Fits("q", "n1"));
  EXPECT_TRUE(Fits("both", "n1")) << "it is one volume, used twice";
  EXPECT_FALSE(Fits("two", "n1"));
  Limit("n2", "d", 2);
  EXPECT_TRUE(Fits("again", "n2"));
}

TEST_F(VolumeUseTest, ItCountsOnceInWhicheverOrderItsPodsCame) {
  Limit("n1", "d", 3);
  Bound("a", "d", "1");
  Bound("b", "d", "2");
  Bound("c", "d", "3");
  Run("r1", "n1", {"a"});
  Run("r2", "n1", {"b"});
  Run("r3", "n1", {"a"});
  AddPod("p", {"c"});
  EXPECT_TRUE(Fits("p", "n1")) << "the third of three";
}

TEST_F(VolumeUseTest, AVolumeOfNoDriverCountsForNone) {
  Limit("n1", "d", 0);
  Set(MakeVolume("plain"));
  Claim claim = MakeClaim("a");
  claim.volume_name = "plain";
  Set(std::move(claim));
  AddPod("p", {"a"});
  EXPECT_TRUE(Fits("p", "n1"));
}

TEST_F(VolumeUseTest, AClaimWithoutAVolumeCountsForItsProvisioner) {
  Limit("n1", "example.com/disks", 1);
  for (const char* name : {"a", "b"}) {
    Claim claim = MakeClaim(name);
    claim.storage_class_name = "made";
    Set(std::move(claim));
  }
  Run("r", "n1", {"a"});
  AddPod("p", {"b"});
  AddPod("missing", {"none"});
  EXPECT_FALSE(Fits("p", "n1"));
  EXPECT_TRUE(Fits("missing", "n1")) << "what does not exist is attached nowhere";
}

TEST_F(VolumeUseTest, ATaskIsNotInItsOwnWayAndOthersAreWhereverItStands) {
  Limit("n1", "d", 1);
  Limit("n2", "d", 1);
  Bound("a", "d", "1");
  Bound("b", "d", "2");
  Run("r", "n1", {"a"});
  EXPECT_TRUE(Fits("r", "n1"));
  Run("s", "n2", {"b"});
  EXPECT_FALSE(Fits("r", "n2")) << "another volume is there";
  Run("u", "n1", {"b"});
  EXPECT_FALSE(Fits("r", "n1")) << "if it came now it would be one too many";
  Run("t", "n1", {"a"});
  EXPECT_TRUE(Fits("r", "n1"));
}

TEST_F(VolumeUseTest, EachPodHasAnEphemeralVolumeOfItsOwn) {
  Limit("n1", "example.com/disks", 1);
  for (const char* name : {"e1", "e2"}) {
    kube::Pod pod = name == std::string_view("e1") ? MakeRunningPod(name, "", {{"cpu", "1"}}, "n1")
                                                   : MakePod(name, "", {{"cpu", "1"}});
    pod.spec.volumes.push_back({.name = "v", .kind = kube::Volume::Kind::kEphemeral});
    given_.Add(std::move(pod));
    Claim claim = MakeClaim(std::string(name) + "-v");
    claim.storage_class_name = "made";
    Set(std::move(claim));
  }
  EXPECT_FALSE(Fits("e2", "n1"));
}

TEST_F(VolumeUseTest, WhatChangesIsSeenInTheNextSession) {
  Limit("n1", "d", 1);
  Bound("a", "d", "1");
  Bound("b", "d", "2");
  Run("r", "n1", {"a"});
  AddPod("p", {"b"});
  EXPECT_FALSE(Fits("p", "n1"));
  Bound("b", "d", "1");
  EXPECT_TRUE(Fits("p", "n1")) << "it is the same volume now";
  Bound("b", "d", "2");
  given_.cluster.RemovePod("ns", "r");
  EXPECT_TRUE(Fits("p", "n1"));
}

TEST_F(VolumeUseTest, WhoeverGetsANumberThatIsFreeHasNothingOfItsFormerOwner) {
  Limit("n1", "d", 0);
  Limit("n2", "d", 1);
  Bound("a", "d", "1");
  Bound("b", "d", "2");
  const auto task_class = AddPod("p", {"a"}).task_class->id;
  EXPECT_TRUE(Fits("p", "n2"));
  EXPECT_FALSE(Fits("p", "n1"));
  given_.cluster.RemovePod("ns", "p");
  ASSERT_EQ(AddPod("q", {"b"}).task_class->id, task_class);
  EXPECT_TRUE(Fits("q", "n2")) << "a is not its own";
  const model::NodeId node = given_.node("n1").id;
  given_.cluster.RemoveNode("n1");
  given_.Add(MakeNode("n3", {{"cpu", "8"}}));
  ASSERT_EQ(given_.node("n3").id, node);
  EXPECT_TRUE(Fits("q", "n3")) << "nothing is known of its drivers";
}

TEST_F(VolumeUseTest, AnotherClusterHasLimitsOfItsOwn) {
  Bound("a", "d", "1");
  AddPod("p", {"a"});
  TestCluster other;
  other.Add(MakeNode("n1", {})).Add(*given_.task("p").pod);
  other.cluster.mutable_objects() = Objects();
  kube::CsiNode unlimited;
  unlimited.meta.name = "n1";
  other.cluster.mutable_objects().csi_nodes.Set(
      std::make_shared<const kube::CsiNode>(std::move(unlimited)));
  Limit("n1", "d", 0);
  EXPECT_FALSE(Fits("p", "n1"));
  use_.Open(other.cluster);
  EXPECT_TRUE(use_.Check(other.task("p"), other.node("n1")).ok());
}

}  // namespace
}  // namespace basalt::scheduler::plugins
