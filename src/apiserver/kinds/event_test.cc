#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_test_util.h"

// Events, which are stored in the old form and served in both.
namespace basalt::apiserver {
namespace {

const KindInfo& EventKind(std::string_view group) {
  static const std::vector<KindInfo> kinds = BuiltinKinds();
  return *std::ranges::find_if(
      kinds, [&](const KindInfo& kind) { return kind.plural == "events" && kind.group == group; });
}

std::string ToldOfEvent(std::string_view group, const char* text) {
  json::value value = json::parse(text);
  Metadata(value.get_object())["name"] = "e";
  Metadata(value.get_object())["namespace"] = "ns";
  EXPECT_TRUE(Conform(value, *EventKind(group).schema).has_value()) << text;
  FieldErrors errors;
  EventKind(group).rules->Validate(value.get_object(), errors);
  return Told(errors);
}

struct EventRow {
  const char* text;
  const char* told;
};

TEST(EventTest, OfTheOldForm) {
  const EventRow rows[] = {
      {R"({"involvedObject":{"namespace":"ns"}})", ""},
      {R"({"involvedObject":{"namespace":"other"}})", "Invalid involvedObject.namespace"},
      {R"({"involvedObject":{}})", "Invalid involvedObject.namespace"},
      {R"({"involvedObject":{"namespace":"ns"},"eventTime":"2026-01-01T00:00:00.000000Z",
         "reportingComponent":"c","reportingInstance":"i","action":"a","reason":"r"})",
       ""},
      {R"({"involvedObject":{"namespace":"ns"},"eventTime":"2026-01-01T00:00:00.000000Z",
         "reportingComponent":"c"})",
       "Required action, Required reason, Required reportingInstance"},
  };
  for (const EventRow& row : rows) EXPECT_EQ(ToldOfEvent("", row.text), row.told) << row.text;
}

TEST(EventTest, OfTheNewForm) {
  const std::string fine = R"({"regarding":{"namespace":"ns"},"type":"Normal",
      "eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"c",
      "reportingInstance":"i","action":"a","reason":"r")";
  const std::string long_text(1025, 'x');
  const std::pair<std::string, const char*> rows[] = {
      {fine + "}", ""},
      {fine + R"(,"type":"Loud"})", "Invalid type"},
      {fine + R"(,"note":")" + long_text + "\"}", "Invalid message"},
      {fine + R"(,"deprecatedCount":2})", "Invalid count"},
      {fine + R"(,"deprecatedSource":{"component":"c"}})", "Invalid source"},
      {fine + R"(,"deprecatedFirstTimestamp":"2026-01-01T00:00:00Z"})", "Invalid firstTimestamp"},
      {fine + R"(,"action":""})", "Required action"},
      {fine + R"(,"regarding":{"namespace":"other"}})", "Invalid involvedObject.namespace"},
  };
  for (const auto& [text, told] : rows) {
    EXPECT_EQ(ToldOfEvent("events.k8s.io", text.c_str()), told) << text.substr(0, 250);
  }
}

TEST(EventTest, GoesFromOneFormToTheOtherAndBack) {
  const json::object old_form =
      json::parse(R"({"apiVersion":"v1","metadata":{"name":"e"},"involvedObject":{"name":"p"},
        "message":"m","count":3,"source":{"component":"c"},"reportingComponent":"k",
        "reportingInstance":"i","firstTimestamp":"2026-01-01T00:00:00Z"})")
          .as_object();
  const json::object new_form = FromCoreEvent(old_form);
  EXPECT_EQ(GetString(new_form, {"apiVersion"}), "events.k8s.io/v1");
  EXPECT_EQ(GetString(new_form, {"regarding", "name"}), "p");
  EXPECT_EQ(GetString(new_form, {"note"}), "m");
  EXPECT_EQ(GetInt(new_form, {"deprecatedCount"}), 3);
  EXPECT_EQ(GetString(new_form, {"reportingController"}), "k");
  EXPECT_FALSE(new_form.contains("message"));
  EXPECT_EQ(json::value(ToCoreEvent(new_form)), json::value(old_form));
}

TEST(EventTest, ItsRowTellsWhenAboutWhatAndByWhom) {
  const json::object event =
      json::parse(R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p"},
        "type":"Normal","reason":"r","message":"said \n","count":4,
        "source":{"component":"c","host":"h"},"firstTimestamp":"2026-01-01T00:00:00Z",
        "lastTimestamp":"2026-01-01T00:01:00Z"})")
          .as_object();
  const json::array cells = EventKind("").rules->Cells(event, TestTime() + 90s);
  EXPECT_EQ(json::serialize(cells), R"(["30s","Normal","r","pod/p","","c, h","said","90s",4,"e"])");
}

}  // namespace
}  // namespace basalt::apiserver
