#include "apiserver/patch/patch.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

struct Case {
  std::string name;
  std::string document;
  std::string patch;
  std::string want;  // empty: it does not apply
};

json::value Parsed(const std::string& text) { return json::parse(text); }

std::string NameOf(const testing::TestParamInfo<Case>& info) { return info.param.name; }

TEST(JsonPatchBudgetTest, AMoveOfSomethingLargeIsNoCopy) {
  json::value document{{"a", json::string(1'000'000, 'x')}};
  json::array patch;
  for (int i = 0; i < 5'000; ++i) {
    patch.push_back({{"op", "move"}, {"from", "/a"}, {"path", "/b"}});
    patch.push_back({{"op", "move"}, {"from", "/b"}, {"path", "/a"}});
  }
  EXPECT_TRUE(ApplyJsonPatch(patch, document));
  EXPECT_EQ(document.at("a").as_string().size(), 1'000'000u);
  patch.push_back({{"op", "remove"}, {"path", "/a"}});
  EXPECT_FALSE(ApplyJsonPatch(patch, document)) << "one operation too many";
}

TEST(JsonPatchBudgetTest, InsertingAtTheFrontOfALongListIsNotForever) {
  json::value document{{"a", json::array(500'000, 0)}};
  json::array patch;
  for (int i = 0; i < 10'000; ++i) {
    patch.push_back({{"op", "add"}, {"path", "/a/0"}, {"value", 1}});
  }
  EXPECT_FALSE(ApplyJsonPatch(patch, document));
}

class JsonPatchTest : public testing::TestWithParam<Case> {};

TEST_P(JsonPatchTest, Applies) {
  json::value document = Parsed(GetParam().document);
  const Result<void> applied = ApplyJsonPatch(Parsed(GetParam().patch).as_array(), document);
  ASSERT_EQ(applied.has_value(), !GetParam().want.empty()) << json::serialize(document);
  if (!applied) return;
  EXPECT_EQ(document, Parsed(GetParam().want)) << json::serialize(document);
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonPatchTest,
    testing::ValuesIn<Case>({
        {"Add", R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
        {"AddReplaces", R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])", R"({"a":2})"},
        {"AddIntoList", R"({"a":[1,3]})", R"([{"op":"add","path":"/a/1","value":2}])",
         R"({"a":[1,2,3]})"},
        {"Append", R"({"a":[1]})", R"([{"op":"add","path":"/a/-","value":2}])", R"({"a":[1,2]})"},
        {"AddBeyondTheEnd", R"({"a":[1]})", R"([{"op":"add","path":"/a/3","value":2}])", ""},
        {"AddWithoutParent", R"({})", R"([{"op":"add","path":"/a/b","value":2}])", ""},
        {"EscapedName", R"({"a/b":{"c~d":1}})", R"([{"op":"remove","path":"/a~1b/c~0d"}])",
         R"({"a/b":{}})"},
        {"Remove", R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/0"}])", R"({"a":[2]})"},
        {"RemoveMissing", R"({})", R"([{"op":"remove","path":"/a"}])", ""},
        {"Replace", R"({"a":1})", R"([{"op":"replace","path":"/a","value":{"b":1}}])",
         R"({"a":{"b":1}})"},
        {"ReplaceMissing", R"({})", R"([{"op":"replace","path":"/a","value":1}])", ""},
        {"Move", R"({"a":{"x":1},"b":{}})", R"([{"op":"move","from":"/a/x","path":"/b/y"}])",
         R"({"a":{},"b":{"y":1}})"},
        {"Copy", R"({"a":1})", R"([{"op":"copy","from":"/a","path":"/b"}])", R"({"a":1,"b":1})"},
        {"TestHolds", R"({"a":[1,{"b":2}]})", R"([{"op":"test","path":"/a","value":[1,{"b":2}]}])",
         R"({"a":[1,{"b":2}]})"},
        {"TestFails", R"({"a":1})", R"([{"op":"test","path":"/a","value":2}])", ""},
        {"TestOfNothingIsNull", R"({})", R"([{"op":"test","path":"/a","value":null}])", R"({})"},
        {"UnknownOperation", R"({})", R"([{"op":"zip","path":"/a"}])", ""},
        {"StopsAtTheFirstThatFails", R"({"a":1})",
         R"([{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}])", ""},
    }),
    NameOf);

class MergePatchTest : public testing::TestWithParam<Case> {};

TEST_P(MergePatchTest, Applies) {
  json::value document = Parsed(GetParam().document);
  ApplyMergePatch(Parsed(GetParam().patch), document);
  EXPECT_EQ(document, Parsed(GetParam().want)) << json::serialize(document);
}

// The examples of RFC 7396, appendix A.
INSTANTIATE_TEST_SUITE_P(
    Rfc7396, MergePatchTest,
    testing::ValuesIn<Case>({
        {"Replace", R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        {"Add", R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
        {"Remove", R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
        {"ListByString", R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        {"StringByList", R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
        {"Nested", R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
        {"ListsAreReplaced", R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
        {"NullStays", R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
        {"IntoNothing", R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
        {"DeepIntoNothing", R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
    }),
    NameOf);

class StrategicPatchTest : public testing::TestWithParam<Case> {};

TEST_P(StrategicPatchTest, Applies) {
  json::object document = Parsed(GetParam().document).as_object();
  const TypeSchema* schema = FindBuiltinType("core.Pod");
  ASSERT_NE(schema, nullptr);
  const Result<void> applied =
      ApplyStrategicMergePatch(Parsed(GetParam().patch).as_object(), *schema, document);
  ASSERT_EQ(applied.has_value(), !GetParam().want.empty());
  if (!applied) return;
  EXPECT_EQ(document, Parsed(GetParam().want)) << json::serialize(document);
}

INSTANTIATE_TEST_SUITE_P(
    All, StrategicPatchTest,
    testing::ValuesIn<Case>({
        {"MapsMerge", R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
         R"({"metadata":{"labels":{"b":null,"c":"3"}}})",
         R"({"metadata":{"labels":{"a":"1","c":"3"}}})"},
        {"ListsMergeByTheirKey",
         R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}})",
         R"({"spec":{"containers":[{"name":"b","image":"3"},{"name":"c","image":"4"}]}})",
         R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"3"},
                                   {"name":"c","image":"4"}]}})"},
        {"AnElementIsDeleted", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
         R"({"spec":{"containers":[{"$patch":"delete","name":"a"}]}})",
         R"({"spec":{"containers":[{"name":"b"}]}})"},
        {"TheListIsReplaced", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
         R"({"spec":{"containers":[{"name":"c"},{"$patch":"replace"}]}})",
         R"({"spec":{"containers":[{"name":"c"}]}})"},
        {"AMapIsReplaced", R"({"metadata":{"labels":{"a":"1"}}})",
         R"({"metadata":{"labels":{"$patch":"replace","b":"2"}}})",
         R"({"metadata":{"labels":{"b":"2"}}})"},
        {"AMapIsEmptied", R"({"metadata":{"labels":{"a":"1"}}})",
         R"({"metadata":{"labels":{"$patch":"delete"}}})", R"({"metadata":{"labels":{}}})"},
        {"WithoutItsKeyAnElementIsRefused", R"({"spec":{"containers":[{"name":"a"}]}})",
         R"({"spec":{"containers":[{"image":"x"}]}})", ""},
        {"AnUnknownDirectiveIsRefused", R"({"metadata":{"labels":{"a":"1"}}})",
         R"({"metadata":{"labels":{"$patch":"zip"}}})", ""},
        {"PrimitivesMerge", R"({"metadata":{"finalizers":["a","b"]}})",
         R"({"metadata":{"finalizers":["b","c"]}})",
         R"({"metadata":{"finalizers":["a","b","c"]}})"},
        {"PrimitivesAreDeleted", R"({"metadata":{"finalizers":["a","b"]}})",
         R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})",
         R"({"metadata":{"finalizers":["b"]}})"},
        {"ListsWithoutAKeyAreReplaced", R"({"spec":{"tolerations":[{"key":"a"}]}})",
         R"({"spec":{"tolerations":[{"key":"b"}]}})", R"({"spec":{"tolerations":[{"key":"b"}]}})"},
        {"AnOrderIsSet", R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
         R"({"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],
                     "containers":[{"name":"c","image":"x"}]}})",
         R"({"spec":{"containers":[{"name":"b"},{"name":"c","image":"x"},{"name":"a"}]}})"},
        {"AnOrderAlone", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
         R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})",
         R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"},
        {"OnlySomeKeysAreRetained", R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
         R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name","hostPath"],
                                 "hostPath":{"path":"/x"}}]}})",
         R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/x"}}]}})"},
        {"WhatIsNewLosesItsDirectivesAndNulls", R"({})",
         R"({"metadata":{"labels":{"$patch":"merge","a":"1","b":null}}})",
         R"({"metadata":{"labels":{"a":"1"}}})"},
    }),
    NameOf);

}  // namespace
}  // namespace basalt::apiserver
