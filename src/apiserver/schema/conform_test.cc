#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

struct RefusedValue {
  const char* type;
  const char* body;
  const char* message;
};

TEST(ConformTest, RefusesWrongTypesAndNamesTheField) {
  const RefusedValue refusals[] = {
      {"apps.Deployment", R"([])", "an object is expected"},
      {"apps.Deployment", R"({"spec":{"replicas":"3"}})",
       "spec.replicas: an integer of 32 bits is expected"},
      {"apps.Deployment", R"({"spec":{"replicas":1.5}})",
       "spec.replicas: an integer of 32 bits is expected"},
      {"apps.Deployment", R"({"spec":{"replicas":2147483648}})",
       "spec.replicas: an integer of 32 bits is expected"},
      {"apps.Deployment", R"({"spec":{"paused":"yes"}})", "spec.paused: true or false is expected"},
      {"core.Pod", R"({"spec":{"containers":{}}})", "spec.containers: a list is expected"},
      {"core.Pod", R"({"spec":{"containers":[{"name":"c"},"x"]}})",
       "spec.containers[1]: an object is expected"},
      {"core.Pod", R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":1.5}}}]}})",
       "spec.containers[0].livenessProbe.httpGet.port: an integer of 32 bits or a string is "
       "expected"},
      {"core.ConfigMap", R"({"metadata":{"labels":{"a":1}}})",
       "metadata.labels.a: a string is expected"},
      {"core.Secret", R"({"data":{"a":"%%"}})", "data.a: base64 is expected"},
      {"core.Secret", R"({"data":{"a":"YQ=a"}})", "data.a: base64 is expected"},
      {"core.Secret", R"({"data":{"a":1}})", "data.a: a string is expected"},
      {"coordination.Lease", R"({"spec":{"renewTime":"2026-01-02T15:04:05Z"}})",
       R"(spec.renewTime: parsing time "2026-01-02T15:04:05Z" as )"
       R"("2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000")"},
      {"coordination.Lease", R"({"spec":{"renewTime":7}})", "spec.renewTime: a string is expected"},
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

TEST(ConformTest, AValueThatItsOwnParserRefusesIsTold) {
  for (const char* body : {R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"much"}}}]}})",
                           R"({"status":{"startTime":"yesterday"}})"}) {
    boost::json::value value = boost::json::parse(body);
    EXPECT_FALSE(Conform(value, *FindBuiltinType("core.Pod")).has_value()) << body;
  }
}

TEST(ConformTest, NullInAListOrAMapIsTheZeroOfItsType) {
  boost::json::value value = boost::json::parse(
      R"({"metadata":{"labels":{"a":null}},"spec":{"containers":[null],"tolerations":[null]}})");
  ASSERT_TRUE(Conform(value, *FindBuiltinType("core.Pod")).has_value());
  EXPECT_EQ(boost::json::serialize(value.at("metadata").at("labels")), R"({"a":""})");
  EXPECT_EQ(boost::json::serialize(value.at("spec").at("tolerations")), "[{}]");
}

TEST(ConformTest, BytesLoseTheirLineEnds) {
  boost::json::value value = boost::json::parse(R"({"data":{"a":"YWFh\nYQ==\r\n"}})");
  ASSERT_TRUE(Conform(value, *FindBuiltinType("core.Secret")).has_value());
  EXPECT_EQ(value.at("data").at("a"), "YWFhYQ==");
}

}  // namespace
}  // namespace basalt::apiserver
