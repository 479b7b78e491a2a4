#include "workloads/template_hash.h"

#include <gtest/gtest.h>

namespace basalt::workloads {
namespace {

std::string Canonical(std::string raw) {
  kube::PodTemplate pod_template;
  pod_template.raw = std::move(raw);
  return CanonicalTemplate(pod_template);
}

TEST(TemplateHashTest, SameForTheSameTemplateWhateverItsOrder) {
  const std::string a = Canonical(
      R"({"metadata":{"labels":{"a":"1","pod-template-hash":"x"},"creationTimestamp":null},)"
      R"("spec":{"x":[1,{"b":2,"a":1}]}})");
  EXPECT_EQ(a, Canonical(R"({"spec":{"x":[1,{"a":1,"b":2}]},"metadata":{"labels":{"a":"1"}}})"));
  EXPECT_NE(a, Canonical(R"({"spec":{"x":[{"a":1,"b":2},1]},"metadata":{"labels":{"a":"1"}}})"));
  EXPECT_EQ(TemplateHash(a, 0).size(), 10u);
  EXPECT_NE(TemplateHash(a, 0), TemplateHash(a, 1));
}

}  // namespace
}  // namespace basalt::workloads
