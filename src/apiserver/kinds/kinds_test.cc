#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/kinds/builtin.h"
#include "apiserver/kinds/subresources.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

const KindInfo& Kind(std::string_view plural) {
  static const std::vector<KindInfo> kinds = BuiltinKinds();
  return *std::ranges::find(kinds, plural, &KindInfo::plural);
}

// Decoded, defaulted and prepared, as a create does it.
json::object Prepared(std::string_view plural, const char* text) {
  json::value value = json::parse(text);
  EXPECT_TRUE(Conform(value, *Kind(plural).schema).has_value());
  json::object object = value.as_object();
  Kind(plural).rules->Default(object);
  Kind(plural).rules->PrepareForCreate(object, Time());
  return object;
}

std::string Complaints(std::string_view plural, const char* text) {
  FieldErrors errors;
  Kind(plural).rules->Validate(Prepared(plural, text), errors);
  return errors.Message();
}

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

TEST(KindsTest, PodsGetTheirDefaults) {
  const json::object pod = Prepared(
      "pods", R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"x"}]}})");
  EXPECT_EQ(GetString(pod, {"spec", "restartPolicy"}), "Always");
  EXPECT_EQ(GetInt(pod, {"spec", "terminationGracePeriodSeconds"}), 30);
  EXPECT_EQ(GetString(pod, {"status", "qosClass"}), "BestEffort");
  EXPECT_EQ(GetInt(pod, {"metadata", "generation"}), 1);
}

TEST(KindsTest, LabelKeysOfANewPodBecomePartsOfItsSelectors) {
  const json::object pod = Prepared("pods", R"({
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
  const auto at = [&](const char* pointer) {
    boost::system::error_code error;
    const json::value value(pod);
    const json::value* found = value.find_pointer(pointer, error);
    return found ? json::serialize(*found) : "";
  };
  EXPECT_EQ(at("/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/0/"
               "podAffinityTerm/labelSelector"),
            R"({"matchExpressions":[{"key":"app","operator":"NotIn","values":["web"]}]})");
  const std::string required =
      "/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution";
  EXPECT_EQ(at((required + "/0/labelSelector/matchExpressions").c_str()),
            R"([{"key":"app","operator":"Exists"},{"key":"rev","operator":"In","values":["2"]}])");
  EXPECT_EQ(at((required + "/1/labelSelector").c_str()), "") << "none selects nothing";
  EXPECT_EQ(at("/spec/topologySpreadConstraints/0/labelSelector/matchExpressions"),
            R"([{"key":"rev","operator":"In","values":["2"]}])");
}

TEST(KindsTest, RefusesInKubernetesWords) {
  EXPECT_EQ(Complaints("pods", R"({"metadata":{"name":"p","namespace":"n"},"spec":{}})"),
            "spec.containers: Required value");
  EXPECT_EQ(Complaints("poddisruptionbudgets", R"({"metadata":{"name":"p","namespace":"n"},
                "spec":{"minAvailable":"110%"}})"),
            "spec.minAvailable: Invalid value: \"110%\": must not be greater than 100%");
  EXPECT_EQ(Complaints("priorityclasses", R"({"metadata":{"name":"p"},"value":1000000001})"),
            "value: Forbidden: maximum allowed value of a user defined priority is 1000000000");
}

TEST(SubresourcesTest, APodIsBoundOnceAndNotWhileGated) {
  json::object pod = Prepared("pods", R"({"metadata":{"name":"p"},"spec":{
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
