#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_test_util.h"
#include "apiserver/kinds/subresources.h"

namespace basalt::apiserver {
namespace {

TEST(KindsTest, EveryKindButDefinitionsHasRulesAndAsManyCellsAsColumns) {
  for (const KindInfo& kind : BuiltinKinds()) {
    if (kind.plural == "customresourcedefinitions") continue;
    ASSERT_NE(kind.rules, nullptr) << kind.plural;
    json::value empty = json::object();
    ASSERT_TRUE(Conform(empty, *kind.schema).has_value());
    EXPECT_EQ(kind.rules->Cells(empty.as_object(), Time()).size(), kind.rules->Columns().size())
        << kind.plural;
  }
}

TEST(KindsTest, LabelKeysOfANewPodBecomePartsOfItsSelectors) {
  const json::object pod = Created("pods", R"({
      "metadata":{"name":"p","labels":{"rev":"2","app":"web"}},
      "spec":{"containers":[{"name":"c","image":"x"}],
        "affinity":{
          "podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
            "podAffinityTerm":{"topologyKey":"zone","labelSelector":{},
              "mismatchLabelKeys":["app"]}}]},
          "podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
            {"topologyKey":"zone","matchLabelKeys":["rev","unknown"],"labelSelector":{
              "matchExpressions":[{"key":"app","operator":"Exists"}]}},
            {"topologyKey":"zone","matchLabelKeys":["rev"]}]}},
        "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",
          "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"web"}},
          "matchLabelKeys":["rev"]}]}})");
  EXPECT_EQ(At(pod,
               "/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/"
               "podAffinityTerm/labelSelector"),
            R"({"matchExpressions":[{"key":"app","operator":"NotIn","values":["web"]}]})");
  const std::string required =
      "/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution";
  EXPECT_EQ(At(pod, required + "/0/labelSelector/matchExpressions"),
            R"([{"key":"app","operator":"Exists"},{"key":"rev","operator":"In","values":["2"]}])");
  EXPECT_EQ(At(pod, required + "/1/labelSelector"), "") << "none selects nothing";
  EXPECT_EQ(At(pod, "/spec/topologySpreadConstraints/0/labelSelector/matchExpressions"),
            R"([{"key":"rev","operator":"In","values":["2"]}])");
}

TEST(SubresourcesTest, APodIsBoundOnceAndNotWhileGated) {
  json::object pod = Created("pods", R"({"metadata":{"name":"p"},"spec":{
      "containers":[{"name":"c","image":"x"}],"schedulingGates":[{"name":"g"}]}})");
  const json::object binding =
      json::parse(R"({"metadata":{"name":"p"},"target":{"name":"n1"}})").as_object();
  EXPECT_EQ(ApplyBinding(binding, pod, Time()).error().code, 409);
  pod.at("spec").as_object().erase("schedulingGates");
  ASSERT_TRUE(ApplyBinding(binding, pod, Time()).has_value());
  EXPECT_EQ(GetString(pod, {"spec", "nodeName"}), "n1");
  EXPECT_EQ(ApplyBinding(binding, pod, Time()).error().message,
            "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to "
            "node \"n1\"");
}

}  // namespace
}  // namespace basalt::apiserver
