#include "workloads/child_object.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <string>

#include "workloads/template_hash.h"

namespace basalt::workloads {
namespace {

TEST(ChildObjectTest, MakesThePodFromTheWholeTemplate) {
  kube::PodTemplate pod_template;
  pod_template.raw = R"({"metadata":{"creationTimestamp":null,"labels":{"app":"x"}},)"
                     R"("spec":{"containers":[{"name":"c","unknownToUs":[1]}]}})";
  kube::ObjectMeta owner;
  owner.name = "web";
  owner.uid = "u-1";
  EXPECT_EQ(boost::json::serialize(
                PodFromTemplate(pod_template, kube::resources::kReplicaSets, owner, "web-abcde")),
            R"({"metadata":{"labels":{"app":"x"},"name":"web-abcde","ownerReferences":)"
            R"([{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-1",)"
            R"("controller":true,"blockOwnerDeletion":true}]},)"
            R"("spec":{"containers":[{"name":"c","unknownToUs":[1]}]},)"
            R"("apiVersion":"v1","kind":"Pod"})");
}

TEST(ChildObjectTest, ADeepTemplateIsATemplateAndABrokenOneIsEmpty) {
  // A template's managedFields may nest far deeper than a pod does.
  const int depth = 500;
  std::string deep;
  for (int i = 0; i < depth; ++i) deep += "{\"a\":";
  deep += "1" + std::string(depth, '}');
  kube::PodTemplate pod_template;
  pod_template.raw = R"({"metadata":{"managedFields":[{"fieldsV1":)" + deep + R"(}]},"spec":{}})";
  EXPECT_EQ(boost::json::serialize(ParseTemplate(pod_template)), pod_template.raw);
  EXPECT_TRUE(PodFromTemplate(pod_template, kube::resources::kReplicaSets, {}, "web-abcde")
                  .contains("spec"));
  EXPECT_FALSE(CanonicalTemplate(pod_template).empty());

  for (const char* broken : {"", "null", "[", "{\"a\""}) {
    pod_template.raw = broken;
    EXPECT_TRUE(ParseTemplate(pod_template).empty()) << broken;
  }
}

TEST(ChildObjectTest, NamesAreValidAndStable) {
  EXPECT_EQ(NameSuffix(0), "bbbbb");
  EXPECT_EQ(NameSuffix(1234567).size(), 5u);
  EXPECT_EQ(GeneratedName(std::string(80, 'a') + "-", 7).size(), 63u);
  EXPECT_EQ(StableHash("a"), 0xaf63dc4c8601ec8cu);
}

}  // namespace
}  // namespace basalt::workloads
