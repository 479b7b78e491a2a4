#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/schema/builtin_types.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

struct RefusedValue {
  const char* type;
  const char* body;
  const char* message;
};

TEST(ConformTest, RefusesWrongTypesInTheDecodersWords) {
  const RefusedValue refusals[] = {
      {"apps.Deployment", R"({"spec":{"replicas":"3"}})",
       "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type "
       "int32"},
      {"apps.Deployment", R"({"spec":{"replicas":1.5}})",
       "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of "
       "type "
       "int32"},
      {"core.Pod", R"({"spec":{"containers":["x"]}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type "
       "v1.Container"},
      {"core.ConfigMap", R"({"metadata":{"labels":{"a":1}}})",
       "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type "
       "string"},
      {"core.Secret", R"({"data":{"a":"%%"}})", "illegal base64 data at input byte 0"},
      {"coordination.Lease", R"({"spec":{"renewTime":"x"}})",
       "parsing time \"x\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"x\" as "
       "\"2006\""},
  };
  for (const RefusedValue& refusal : refusals) {
    boost::json::value value = boost::json::parse(refusal.body);
    const Result<void> result = Conform(value, *FindBuiltinType(refusal.type));
    ASSERT_FALSE(result.has_value()) << refusal.body;
    EXPECT_EQ(result.error().message, refusal.message);
  }
}

TEST(ConformTest, LeavesWhatKubernetesWouldSendBack) {
  boost::json::value value = boost::json::parse(R"({
    "metadata": {"name": "a", "labels": null, "foo": 1},
    "spec": {"volumes": [], "hostNetwork": false, "priority": 0,
             "containers": [{"name": "c", "resources": {"requests": {"cpu": 0.5, "memory": "1024Mi"}}}]},
    "status": {"startTime": "2026-01-01T01:00:00+01:00"}})");
  std::vector<std::string> unknown;
  ASSERT_TRUE(Conform(value, *FindBuiltinType("core.Pod"), &unknown).has_value());
  EXPECT_EQ(unknown, std::vector<std::string>{"metadata.foo"});
  EXPECT_EQ(value, boost::json::parse(R"({
    "metadata": {"name": "a"},
    "spec": {"priority": 0,
             "containers": [{"name": "c", "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}}]},
    "status": {"startTime": "2026-01-01T00:00:00Z"}})"));
}

}  // namespace
}  // namespace basalt::apiserver
