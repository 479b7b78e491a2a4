#include "apiserver/object/object.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <limits>

#include "apiserver/object/json_text.h"
#include "apiserver/object/kind.h"
#include "apiserver/object/status.h"
#include "apiserver/object/text.h"
#include "kube/types/time.h"
#include "kube/types/utf8.h"

namespace basalt::apiserver {
namespace {

json::object ObjectIn(const char* text) { return json::parse(text).as_object(); }

TEST(ObjectTest, WhatIsMissingOrOfAnotherTypeIsEmpty) {
  const json::object object = ObjectIn(R"({"a":{"b":1,"c":"x","d":null,"e":[1],"f":true}})");
  EXPECT_EQ(GetInt(object, {"a", "b"}), 1);
  EXPECT_EQ(GetInt(object, {"a", "c"}, 7), 7);
  EXPECT_EQ(GetString(object, {"a", "c"}), "x");
  EXPECT_EQ(GetString(object, {"a", "b"}), "");
  EXPECT_EQ(GetString(object, {"a", "c", "d"}), "");
  EXPECT_TRUE(GetBool(object, {"a", "f"}));
  EXPECT_FALSE(GetBool(object, {"a", "b"}));
  EXPECT_EQ(Find(object, {"a", "d"}), nullptr) << "null counts as absent";
  EXPECT_EQ(FindObject(object, {"a", "e"}), nullptr);
  EXPECT_EQ(FindArray(object, {"a", "e"})->size(), 1u);
  EXPECT_TRUE(AsObject(object.at("a").at("e")).empty());
  EXPECT_EQ(AsText(object.at("a").at("b")), "");
}

TEST(ObjectTest, AChildIsMadeWhereThereIsNone) {
  json::object object = ObjectIn(R"({"a":1})");
  Child(object, "a")["b"] = 2;
  Metadata(object)["name"] = "x";
  EXPECT_EQ(json::serialize(object), R"({"a":{"b":2},"metadata":{"name":"x"}})");
  EXPECT_EQ(Name(object), "x");
  EXPECT_FALSE(IsBeingDeleted(object));
}

TEST(ObjectTest, OnlyWhatIsDesiredCountsAsAChange) {
  const json::object before = ObjectIn(R"({"metadata":{"a":1},"spec":{"b":1},"status":{}})");
  EXPECT_FALSE(DesiredStateDiffers(
      before, ObjectIn(R"({"metadata":{"a":2},"spec":{"b":1},"status":{"c":1}})")));
  EXPECT_TRUE(DesiredStateDiffers(before, ObjectIn(R"({"spec":{"b":2}})")));
  EXPECT_TRUE(DesiredStateDiffers(before, ObjectIn("{}"))) << "a spec that goes";
  EXPECT_TRUE(DesiredStateDiffers(ObjectIn("{}"), before)) << "a spec that comes";
}

TEST(ObjectTest, AConditionReplacesTheOneOfItsTypeAndKeepsItsTimeWithItsStatus) {
  json::object status;
  SetCondition(status, {{"type", "A"}, {"status", "True"}, {"lastTransitionTime", "1"}});
  SetCondition(status, {{"type", "B"}, {"status", "True"}, {"lastTransitionTime", "2"}});
  SetCondition(status, {{"type", "A"}, {"status", "True"}, {"lastTransitionTime", "3"}});
  SetCondition(status, {{"type", "B"}, {"status", "False"}, {"lastTransitionTime", "4"}});
  EXPECT_EQ(json::serialize(status),
            R"({"conditions":[{"type":"A","status":"True","lastTransitionTime":"1"},)"
            R"({"type":"B","status":"False","lastTransitionTime":"4"}]})");
}

TEST(JsonTextTest, WritesNumbersAsGoDoes) {
  const std::pair<json::value, const char*> rows[] = {
      {1, "1"},
      {1.5, "1.5"},
      {2.0, "2"},
      {-0.25, "-0.25"},
      {nullptr, "null"},
      {true, "true"},
      {false, "false"},
      {"a\"\\\n\x01", R"("a\"\\\n\u0001")"},
      {std::numeric_limits<std::uint64_t>::max(), "18446744073709551615"}};
  for (const auto& [value, text] : rows) EXPECT_EQ(ToText(value), text);
  EXPECT_EQ(ToText(ObjectIn(R"({"b":[1,{"a":2}],"a":{}})")), R"({"b":[1,{"a":2}],"a":{}})");
  EXPECT_EQ(Quoted("a\"b"), R"("a\"b")");
}

TEST(JsonTextTest, BytesThatAreNoCharactersAreReplaced) {
  EXPECT_EQ(ToText(json::value("a\xff"
                               "b")),
            "\"a\xef\xbf\xbd"
            "b\"");
  EXPECT_EQ(ParseJson("\"a\xff\"")->as_string(), "a\xef\xbf\xbd");
}

TEST(JsonTextTest, SaysWhatIsNoJsonAndWhere) {
  for (const char* text : {"", "{", "{bad", "[1,]", "{\"a\":1} x", "nul", "\"a", "01", "{'a':1}"}) {
    const Result<json::value> parsed = ParseJson(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_TRUE(parsed.error().message.starts_with("no JSON: ")) << parsed.error().message;
    EXPECT_NE(parsed.error().message.find(" at byte "), std::string::npos);
  }
  EXPECT_FALSE(ParseJson("1e999").has_value()) << "it could not be written again";
}

TEST(JsonTextTest, ADocumentMayNestSoDeepAndNoDeeper) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseJson(nested(kMostDepth)).has_value());
  EXPECT_FALSE(ParseJson(nested(kMostDepth + 1)).has_value());
  EXPECT_FALSE(ParseJson(std::string(100000, '[')).has_value());
  EXPECT_EQ(MeasureJson(*ParseJson(nested(5))).depth, 5u);
}

TEST(JsonTextTest, AnExtentIsNeverLessThanTheText) {
  for (const char* text : {"{}", "[]", R"({"a":"\u0001\u0002","b":[1,2.5,null,true]})",
                           R"({"":{"":{"":[-1234567890123]}}})"}) {
    const json::value value = json::parse(text);
    EXPECT_GE(MeasureJson(value).most_bytes, ToText(value).size()) << text;
  }
}

TEST(Utf8Test, KnowsCharactersFromBytes) {
  EXPECT_EQ(kube::Utf8Length("a"), 1u);
  EXPECT_EQ(kube::Utf8Length("\xc3\xa4"), 2u);
  EXPECT_EQ(kube::Utf8Length("\xe2\x82\xac"), 3u);
  EXPECT_EQ(kube::Utf8Length("\xf0\x9f\x98\x80"), 4u);
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(kube::Utf8Length(bad), 0u);
    EXPECT_FALSE(IsValidUtf8(bad));
  }
}

TEST(TextTest, IsCutAtMarksAndNoPieceIsEmpty) {
  EXPECT_EQ(Cut("a=b=c", '='), std::pair(std::string_view("a"), std::string_view("b=c")));
  EXPECT_EQ(Cut("a", '='), std::pair(std::string_view("a"), std::string_view()));
  EXPECT_EQ(Pieces("/a//b/", '/'), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(Pieces("", '/').empty());
  EXPECT_EQ(WithoutBlanks(" \ta b "), "a b");
  EXPECT_EQ(WithoutBlanks("  "), "");
}

TEST(KubeTimeTest, TimesStopAtTheEndsOfWhatCanBeCounted) {
  const Time now = *kube::ParseTime("2026-01-02T15:04:05Z");
  EXPECT_EQ(FormatTime(now), "2026-01-02T15:04:05Z");
  EXPECT_EQ(FormatTime(After(now, 55)), "2026-01-02T15:05:00Z");
  EXPECT_EQ(Between(now, After(now, 90)), Duration(90s));
  EXPECT_GT(After(now, std::numeric_limits<std::int64_t>::max()), now);
  EXPECT_LT(After(now, std::numeric_limits<std::int64_t>::min()), now);
}

TEST(KindTest, IsNamedByItsGroup) {
  const KindInfo pods{.version = "v1", .kind = "Pod", .plural = "pods"};
  const KindInfo sets{
      .group = "apps", .version = "v1", .kind = "ReplicaSet", .plural = "replicasets"};
  EXPECT_EQ(pods.ApiVersion(), "v1");
  EXPECT_EQ(pods.QualifiedResource(), "pods");
  EXPECT_EQ(sets.ApiVersion(), "apps/v1");
  EXPECT_EQ(sets.QualifiedResource(), "replicasets.apps");
}

TEST(KindTest, AGenerationCountsWhatIsDesired) {
  const json::object old = ObjectIn(R"({"metadata":{"generation":3},"spec":{"a":1}})");
  json::object status = ObjectIn(R"({"metadata":{"labels":{}},"spec":{"a":1},"status":{"b":1}})");
  CountGeneration(status, old, DesiredStateDiffers(status, old));
  EXPECT_EQ(GetInt(status, {"metadata", "generation"}), 3);
  json::object changed = ObjectIn(R"({"spec":{"a":2}})");
  CountGeneration(changed, old, DesiredStateDiffers(changed, old));
  EXPECT_EQ(GetInt(changed, {"metadata", "generation"}), 4);
}

struct StatusRow {
  ApiStatus status;
  int code;
  const char* reason;
};

TEST(StatusTest, RefusalsHaveTheCodesAndReasonsOfKubernetes) {
  const KindInfo kind{
      .group = "apps", .version = "v1", .kind = "Deployment", .plural = "deployments"};
  const StatusRow rows[] = {
      {refusal::NotFound(kind, "a"), 404, "NotFound"},
      {refusal::AlreadyExists(kind, "a"), 409, "AlreadyExists"},
      {refusal::StaleVersion(kind, "a"), 409, "Conflict"},
      {refusal::Forbidden(kind, "a", "no"), 403, "Forbidden"},
      {refusal::Forbidden(kind, "", "no"), 403, "Forbidden"},
      {refusal::BadRequest("no"), 400, "BadRequest"},
      {refusal::Unauthorized(), 401, "Unauthorized"},
      {refusal::MethodNotAllowed(), 405, "MethodNotAllowed"},
      {refusal::NoSuchResource(), 404, "NotFound"},
      {refusal::NotAcceptable("a"), 406, "NotAcceptable"},
      {refusal::UnsupportedMediaType("a"), 415, "UnsupportedMediaType"},
      {refusal::TooLarge("a"), 413, "RequestEntityTooLarge"},
      {refusal::TooManyRequests("a", 3), 429, "TooManyRequests"},
      {refusal::Expired("a"), 410, "Expired"},
      {refusal::Internal("a"), 500, "InternalError"},
  };
  for (const StatusRow& row : rows) {
    const json::object shown = row.status.ToJson();
    EXPECT_EQ(GetString(shown, {"kind"}), "Status");
    EXPECT_EQ(GetString(shown, {"status"}), "Failure");
    EXPECT_EQ(GetInt(shown, {"code"}), row.code);
    EXPECT_EQ(GetString(shown, {"reason"}), row.reason);
    EXPECT_FALSE(GetString(shown, {"message"}).empty());
  }
  EXPECT_EQ(GetInt(refusal::TooManyRequests("a", 3).ToJson(), {"details", "retryAfterSeconds"}), 3);
  EXPECT_EQ(GetString(refusal::NotFound(kind, "a").ToJson(), {"details", "group"}), "apps");
}

}  // namespace
}  // namespace basalt::apiserver
