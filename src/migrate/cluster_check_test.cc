#include "migrate/cluster_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace basalt::migrate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using Weight = Finding::Weight;

boost::json::array List(std::string_view text) { return boost::json::parse(text).as_array(); }

auto Says(Weight weight, const std::string& what) {
  return AllOf(Field(&Finding::weight, weight), Field(&Finding::what, HasSubstr(what)));
}

TEST(ClusterCheck, KindsThatNobodyWorksOn) {
  EXPECT_THAT(CheckKinds({"podgroups.scheduling.volcano.sh", "reservations.batch.volcano.sh"},
                         {{"nodeshards.shard.volcano.sh", 0}}),
              IsEmpty());
  EXPECT_THAT(
      CheckKinds({"podgroups.scheduling.volcano.sh"}, {{"numatopologies.nodeinfo.volcano.sh", 3}}),
      ElementsAre(Says(Weight::kDiffers, "3 objects are of numatopologies"),
                  Says(Weight::kNote, "Reservations are not here")));
  EXPECT_THAT(CheckKinds({}, {}), ElementsAre(Says(Weight::kNote, "Volcano's kinds are not here")));
}

TEST(ClusterCheck, WebhooksThatWouldStay) {
  const auto hooks = List(R"([
      {"metadata":{"name":"volcano-admission-service-jobs-mutate"},"webhooks":[
        {"name":"mutatejob.volcano.sh","failurePolicy":"Fail",
         "clientConfig":{"service":{"name":"volcano-admission-service"}}}]},
      {"metadata":{"name":"basalt-webhook"},"webhooks":[{"name":"x.volcano.sh","failurePolicy":"Fail"}]},
      {"metadata":{"name":"istio"},"webhooks":[{"name":"a.istio.io"}]}])");
  const auto lenient = List(R"([
      {"metadata":{"name":"volcano-pods"},"webhooks":[{"name":"v.volcano.sh","failurePolicy":"Ignore"}]}])");
  EXPECT_THAT(
      CheckWebhooks(hooks, lenient),
      ElementsAre(Says(Weight::kBlocks,
                       "mutatingwebhookconfiguration volcano-admission-service-jobs-mutate"),
                  Says(Weight::kDiffers, "validatingwebhookconfiguration volcano-pods")));
}

TEST(ClusterCheck, PodsUnderWay) {
  const auto pods = List(R"([
      {"metadata":{"namespace":"a","name":"runs"},"spec":{"schedulerName":"volcano","nodeName":"n"}},
      {"metadata":{"namespace":"a","name":"waits"},"spec":{"schedulerName":"volcano"}},
      {"metadata":{"namespace":"a","name":"gated"},"spec":{"schedulerName":"volcano","schedulingGates":[{"name":"g"}]}},
      {"metadata":{"namespace":"a","name":"soon"},"spec":{"schedulerName":"volcano"},
       "status":{"nominatedNodeName":"n"}},
      {"metadata":{"namespace":"a","name":"gpu"},"spec":{"schedulerName":"volcano","resourceClaims":[{}]}},
      {"metadata":{"namespace":"a","name":"done"},"spec":{"schedulerName":"volcano"},"status":{"phase":"Failed"}},
      {"metadata":{"namespace":"a","name":"other"},"spec":{"schedulerName":"default-scheduler"}}])");
  EXPECT_THAT(CheckPods(pods, {"volcano"}),
              ElementsAre(Says(Weight::kNote, "1 pod has a node"),
                          Says(Weight::kNote, "2 pods wait: a/waits, a/gpu"),
                          Says(Weight::kNote, "1 pod is gated: a/gated"),
                          Says(Weight::kNote, "1 pod is promised a node: a/soon"),
                          Says(Weight::kDiffers, "a/gpu")));
}

TEST(ClusterCheck, GroupsThatWouldWait) {
  EXPECT_THAT(CheckGroups(List(R"([
      {"metadata":{"namespace":"a","name":"far"},"spec":{"networkTopology":{"mode":"soft"}}},
      {"metadata":{"namespace":"a","name":"near"},"spec":{"networkTopology":{"mode":"hard"}}},
      {"metadata":{"namespace":"a","name":"parts"},"spec":{"subGroupPolicy":[{}]}}])")),
              ElementsAre(Says(Weight::kDiffers, "1 PodGroup has a hard networkTopology: a/near"),
                          Says(Weight::kDiffers, "1 PodGroup has a subGroupPolicy: a/parts")));
}

TEST(ClusterCheck, ArgumentsAndPartsOfVolcanosInstallation) {
  const auto deployments = List(R"([{"metadata":{"namespace":"v","name":"volcano-scheduler"},
      "spec":{"template":{"spec":{"containers":[{"args":["--logtostderr","--plugins-dir=/p",
        "--scheduler-sharding-mode=none",7]}]}}}}])");
  const auto sets = List(R"([{"metadata":{"namespace":"v","name":"volcano-agent"}}])");
  EXPECT_THAT(
      CheckWorkloads(deployments, sets),
      ElementsAre(Says(Weight::kDiffers, "v/volcano-scheduler is started with --plugins-dir=/p"),
                  Says(Weight::kDiffers, "v/volcano-agent runs on the nodes")));
}

TEST(ClusterCheck, OddObjectsArePassedOver) {
  const auto odd = List(R"([1, null, {}, {"metadata":7,"spec":[],"webhooks":{}},
      {"spec":{"template":{"spec":{"containers":[{"args":"x"}]}}},"webhooks":[3]}])");
  EXPECT_THAT(CheckPods(odd, {"volcano"}), IsEmpty());
  EXPECT_THAT(CheckGroups(odd), IsEmpty());
  EXPECT_THAT(CheckWebhooks(odd, odd), IsEmpty());
  EXPECT_THAT(CheckWorkloads(odd, odd), IsEmpty());
}

}  // namespace
}  // namespace basalt::migrate
