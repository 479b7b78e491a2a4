#include "webhook/workload_admission.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <optional>

#include "model/annotations.h"

namespace basalt::webhook {
namespace {

using model::annotations::kGroupMinMember;

// What a workload says of its group: on its metadata, and in its template. "": nothing.
struct Said {
  std::string own;
  std::string in_template;
};

struct Made {
  explicit Made(const Said& said) {
    pod_template.spec.scheduler_name = "volcano";
    if (!said.own.empty()) meta.annotations.Set(kGroupMinMember, said.own);
    if (!said.in_template.empty()) pod_template.annotations.Set(kGroupMinMember, said.in_template);
  }
  WorkloadView View() const { return {meta, pod_template, has_metadata, replica_set}; }

  kube::ObjectMeta meta;
  kube::PodTemplate pod_template;
  bool has_metadata = true;
  bool replica_set = false;
};

std::string Patch(const Made& now, const Made* old = nullptr) {
  const WorkloadView before = old ? old->View() : now.View();
  return boost::json::serialize(MutateWorkload(now.View(), old ? &before : nullptr, {}).patch);
}

TEST(WorkloadAdmissionTest, TheTemplateSaysWhatTheWorkloadSays) {
  const std::string path = "/spec/template/metadata/annotations";
  const std::string one = path + "/scheduling.volcano.sh~1group-min-member";
  const std::string whole = R"([{"op":"add","path":")" + path +
                            R"(","value":{"scheduling.volcano.sh/group-min-member":"4"}}])";
  const auto replaced = [&](const std::string& value) {
    return R"([{"op":"add","path":")" + one + R"(","value":")" + value + R"("}])";
  };
  struct Case {
    const char* what;
    std::optional<Said> old;
    Said now;
    std::string patch;
  };
  const Case cases[] = {
      {"asked for when it is made", {}, {"4", ""}, whole},
      {"asked for later", Said{"", ""}, {"4", ""}, whole},
      {"never asked for", {}, {"", ""}, "[]"},
      {"the template's own word wins", {}, {"4", "2"}, "[]"},
      {"and later too", Said{"4", "2"}, {"5", "2"}, "[]"},
      {"what was copied follows", Said{"4", "4"}, {"6", "4"}, replaced("6")},
      {"and goes", Said{"4", "4"}, {"", "4"}, R"([{"op":"remove","path":")" + one + R"("}])"},
      {"in the template alone it stays", Said{"", "4"}, {"", "4"}, "[]"},
      {"nothing changes", Said{"4", "4"}, {"4", "4"}, "[]"},
      {"both at once", Said{"4", "4"}, {"6", "5"}, "[]"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::optional<Made> old = c.old ? std::optional<Made>(*c.old) : std::nullopt;
    EXPECT_EQ(Patch(Made(c.now), old ? &*old : nullptr), c.patch);
  }
}

TEST(WorkloadAdmissionTest, ATemplateWithoutMetadataGetsIt) {
  Made made({"4", ""});
  made.has_metadata = false;
  EXPECT_EQ(Patch(made), R"([{"op":"add","path":"/spec/template/metadata","value":{"annotations":)"
                         R"({"scheduling.volcano.sh/group-min-member":"4"}}}])");
}

TEST(WorkloadAdmissionTest, OtherAnnotationsStay) {
  Made made({"4", ""});
  made.pod_template.annotations.Set("example.com/mine", "x");
  made.meta.annotations.Set(model::annotations::kGroupMinResources, "{}");
  const std::string patch = Patch(made);
  EXPECT_NE(patch.find("annotations/scheduling.volcano.sh~1group-min-member"), patch.npos);
  EXPECT_NE(patch.find("annotations/scheduling.volcano.sh~1group-min-resources"), patch.npos);
}

TEST(WorkloadAdmissionTest, WhatIsNotOursIsLeftAlone) {
  Made of_another({"4", ""});
  of_another.pod_template.spec.scheduler_name = "default-scheduler";
  EXPECT_EQ(Patch(of_another), "[]");
  Made in_a_group({"4", ""});
  in_a_group.pod_template.annotations.Set(model::annotations::kGroupName, "mine");
  EXPECT_EQ(Patch(in_a_group), "[]");
  // A Deployment that finds another template in its ReplicaSet makes a new one, and so on for ever.
  Made of_a_deployment({"4", ""});
  of_a_deployment.replica_set = true;
  of_a_deployment.meta.owner_references.push_back({.kind = "Deployment", .uid = "u"});
  EXPECT_EQ(Patch(of_a_deployment), "[]");
}

}  // namespace
}  // namespace basalt::webhook
