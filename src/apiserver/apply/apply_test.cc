#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string>
#include <vector>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/apply/merge.h"
#include "apiserver/object/json_text.h"
#include "apiserver/schema/type_schema.h"
#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TypeSchema& PodSpecType() { return *FindBuiltinType("core.PodSpec"); }

struct MergeCase {
  const char* name;
  const char* live;
  const char* applied;
  const char* merged;
};

TEST(MergeTest, GoesByListTypes) {
  const MergeCase cases[] = {
      {"containers go by name", R"({"containers":[{"name":"a","image":"1"}]})",
       R"({"containers":[{"name":"a","stdin":true},{"name":"b"}]})",
       R"({"containers":[{"name":"a","image":"1","stdin":true},{"name":"b"}]})"},
      {"what live alone has keeps its place", R"({"containers":[{"name":"x"},{"name":"b"}]})",
       R"({"containers":[{"name":"a"},{"name":"b"}]})",
       R"({"containers":[{"name":"x"},{"name":"a"},{"name":"b"}]})"},
      {"shared items follow the applied order", R"({"containers":[{"name":"a"},{"name":"b"}]})",
       R"({"containers":[{"name":"b"},{"name":"a"}]})",
       R"({"containers":[{"name":"b"},{"name":"a"}]})"},
      {"tolerations are one thing", R"({"tolerations":[{"key":"a"}]})",
       R"({"tolerations":[{"key":"b"}]})", R"({"tolerations":[{"key":"b"}]})"},
      {"a node selector is one thing", R"({"nodeSelector":{"a":"1"}})",
       R"({"nodeSelector":{"b":"1"}})", R"({"nodeSelector":{"b":"1"}})"},
      {"overhead goes by resource", R"({"overhead":{"cpu":"1"}})", R"({"overhead":{"memory":"1"}})",
       R"({"overhead":{"cpu":"1","memory":"1"}})"},
  };
  for (const MergeCase& c : cases) {
    EXPECT_EQ(MergeApplied(json::parse(c.live), json::parse(c.applied), PodSpecType()),
              json::parse(c.merged))
        << c.name;
  }
}

TEST(MergeTest, RefusesWhatCannotBeMergedAndNamesTheField) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"foo":1})", ".foo: field not declared in schema"},
      {R"({"containers":{}})", ".containers: expected list"},
      {R"({"containers":[{"name":"a"},{"name":"a"}]})",
       ".containers: duplicate entries for key k:{\"name\":\"a\"}"},
      {R"({"hostNetwork":"yes"})", ".hostNetwork: a value of another type is expected"},
      {R"({"priority":"1"})", ".priority: a value of another type is expected"},
      {R"({"nodeSelector":{"a":1}})", ".nodeSelector.a: a value of another type is expected"},
  };
  for (const auto& [applied, message] : cases) {
    const Result<void> checked = CheckApplied(json::parse(applied), PodSpecType());
    ASSERT_FALSE(checked.has_value()) << applied;
    EXPECT_EQ(checked.error().message, message);
  }
}

TEST(FieldSetTest, ComesBackFromItsWireForm) {
  const json::object wire =
      json::parse(R"({"f:a":{".":{},"k:{\"name\":\"c\"}":{".":{},"f:image":{}}},"f:b":{}})")
          .as_object();
  const FieldSet set = FieldSet::FromFieldsV1(wire);
  EXPECT_EQ(set.ToFieldsV1(), wire);
  EXPECT_THAT(set.Paths(), ElementsAre(".a", ".b", ".a[name=\"c\"]", ".a[name=\"c\"].image"));
}

TEST(FieldSetTest, TakesWhateverAClientWrites) {
  const char* odd[] = {"{}",           R"({"x":{}})", R"({"f:":{}})",
                       R"({"f:a":5})", R"({".":{}})", R"({"k:{":{}})"};
  for (const char* text : odd) {
    (void)FieldSet::FromFieldsV1(json::parse(text).as_object()).Paths();
  }
}

class ApplyTest : public testing::Test {
 protected:
  Answer Apply(const std::string& target, std::string body) {
    return server_.Send("PATCH", target, std::move(body), "application/apply-patch+yaml");
  }
  Answer ApplyMap(const std::string& data, const std::string& query) {
    return Apply(
        kMaps + "/m?" + query,
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":)" + data + "}");
  }
  std::vector<std::string> Owners(const Answer& answer) {
    std::vector<std::string> owners;
    if (answer.At("metadata.managedFields").empty()) return owners;
    for (const json::value& entry : answer.json.at_pointer("/metadata/managedFields").as_array()) {
      const FieldSet fields = FieldSet::FromFieldsV1(entry.at("fieldsV1").as_object());
      std::string line(entry.at("manager").as_string());
      line += entry.at("operation") == "Apply" ? " applies" : " updates";
      for (const std::string& path : fields.Paths()) line += " " + path;
      owners.push_back(std::move(line));
    }
    return owners;
  }

  TestServer server_;
};

TEST_F(ApplyTest, CreatesChangesAndTakesAway) {
  EXPECT_EQ(ApplyMap(R"({"x":"1","y":"2"})", "fieldManager=a").status, 201);
  const Answer again = ApplyMap(R"({"x":"3"})", "fieldManager=a");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.At("data"), R"({"x":"3"})");
  EXPECT_THAT(Owners(again), ElementsAre("a applies .data.x"));
}

TEST_F(ApplyTest, TellsWhoElseSetTheField) {
  ASSERT_EQ(ApplyMap(R"({"x":"1","y":"1"})", "fieldManager=a").status, 201);
  const Answer refused = ApplyMap(R"({"x":"2","y":"2"})", "fieldManager=b");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.At("reason"), "Conflict");
  EXPECT_EQ(refused.At("details.causes.0.reason"), "FieldManagerConflict");
  EXPECT_EQ(refused.At("details.causes.0.field"), ".data.x");
  EXPECT_EQ(refused.At("details.causes.1.message"), "conflict with \"a\"");
  const Answer forced = ApplyMap(R"({"x":"2"})", "fieldManager=b&force=true");
  EXPECT_THAT(Owners(forced), ElementsAre("a applies .data.y", "b applies .data.x"));
}

TEST_F(ApplyTest, WhatWasThereBeforeBelongsToTheTimeBefore) {
  ASSERT_EQ(server_.Post(kMaps, R"({"metadata":{"name":"m"},"data":{"x":"1"}})").status, 201);
  EXPECT_THAT(Owners(server_.Get(kMaps + "/m")), IsEmpty());
  const Answer refused = ApplyMap(R"({"x":"2"})", "fieldManager=a");
  EXPECT_THAT(refused.At("message"), HasSubstr("before-first-apply"));
  EXPECT_THAT(Owners(ApplyMap(R"({"x":"1"})", "fieldManager=a")),
              ElementsAre("a applies .data.x", "before-first-apply updates .data .data.x"));
}

TEST_F(ApplyTest, OrdinaryWritesAreLookedAfterOnceSomebodySaysWhoHeIs) {
  ASSERT_EQ(server_.Post(kMaps + "?fieldManager=k", R"({"metadata":{"name":"m"},"data":{"x":"1"}})")
                .status,
            201);
  const Answer patched = server_.Patch(kMaps + "/m", R"({"data":{"x":"2","y":"3"}})");
  EXPECT_THAT(Owners(patched), ElementsAre("k updates .data", "unknown updates .data.x .data.y"));
}

TEST_F(ApplyTest, ADryRunStoresNothing) {
  EXPECT_EQ(ApplyMap(R"({"x":"1"})", "fieldManager=a&dryRun=All").status, 201);
  EXPECT_EQ(server_.Get(kMaps + "/m").status, 404);
}

TEST_F(ApplyTest, TakesYamlAndRefusesWhatIsNoObject) {
  EXPECT_EQ(Apply(kMaps + "/m?fieldManager=a",
                  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {x: \"1\"}\n")
                .status,
            201);
  for (const char* body : {"", "[]", "5", "a: b: c", "---\n---\n", "{", "kind: ConfigMap"}) {
    EXPECT_EQ(Apply(kMaps + "/m?fieldManager=a", body).status, 400) << body;
  }
}

TEST_F(ApplyTest, NeedsAManager) {
  const Answer refused = ApplyMap("{}", "x=y");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.At("details.causes.0.field"), "fieldManager");
}

}  // namespace
}  // namespace basalt::apiserver
