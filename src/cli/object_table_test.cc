#include "cli/object_table.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "kube/types/time.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

json::object ObjectOf(std::string_view text) { return json::parse(text).as_object(); }

TEST(TextCellTest, IsWhatStandsAtTheEndOfThePath) {
  const json::object object =
      ObjectOf(R"({"a":{"b":{"c":"deep"}},"n":7,"f":0.5,"t":true,"e":"","z":null,"l":[1]})");
  EXPECT_EQ(TextCell({"a", "b", "c"})(object), "deep");
  EXPECT_EQ(TextCell({"n"})(object), "7");
  EXPECT_EQ(TextCell({"f"})(object), "0.5");
  EXPECT_EQ(TextCell({"t"})(object), "true");
  EXPECT_EQ(TextCell({"l"})(object), "[1]");
  EXPECT_EQ(TextCell({"a", "x", "c"}, "-")(object), "-") << "the way ends";
  EXPECT_EQ(TextCell({"n", "b"}, "-")(object), "-") << "a number has no fields";
  EXPECT_EQ(TextCell({"e"}, "-")(object), "-") << "an empty text is none";
  EXPECT_EQ(TextCell({"z"}, "-")(object), "-");
  EXPECT_EQ(TextCell({"missing"})(object), "");
}

TEST(CountCellTest, IsANumberWhateverIsThere) {
  const json::object object = ObjectOf(R"({"status":{"running":3,"text":"3","half":0.5}})");
  EXPECT_EQ(CountCell({"status", "running"})(object), "3");
  EXPECT_EQ(CountCell({"status", "text"})(object), "0");
  EXPECT_EQ(CountCell({"status", "half"})(object), "0");
  EXPECT_EQ(CountCell({"nothing", "running"})(object), "0");
}

TEST(AmountsCellTest, NamesEachAmount) {
  const json::object object =
      ObjectOf(R"({"spec":{"capability":{"cpu":"4","memory":"8Gi"},"x":1}})");
  EXPECT_EQ(AmountsCell({"spec", "capability"})(object), "cpu 4, memory 8Gi");
  EXPECT_EQ(AmountsCell({"spec", "x"})(object), "-");
  EXPECT_EQ(AmountsCell({"status", "x"})(object), "-");
}

TEST(AgeCellTest, IsShortAndChangesItsUnitWhereKubectlDoes) {
  struct Row {
    const char* now;
    const char* want;
  };
  const json::object object =
      ObjectOf(R"({"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z"}})");
  for (const Row& row : {Row{"2026-01-01T00:00:00Z", "0s"},
                         {"2025-12-31T23:00:00Z", "0s"},  // its clock is ahead of ours
                         {"2026-01-01T00:01:59Z", "119s"},
                         {"2026-01-01T00:02:00Z", "2m"},
                         {"2026-01-01T01:59:59Z", "119m"},
                         {"2026-01-01T02:00:00Z", "2h"},
                         {"2026-01-02T23:59:59Z", "47h"},
                         {"2026-01-03T00:00:00Z", "2d"},
                         {"2027-01-01T00:00:00Z", "365d"}}) {
    EXPECT_EQ(AgeCell(*kube::ParseTime(row.now))(object), row.want) << row.now;
  }
  EXPECT_EQ(AgeCell(Time{})(json::object()), "-");
  EXPECT_EQ(AgeCell(Time{})(ObjectOf(R"({"metadata":{"creationTimestamp":"soon"}})")), "-");
}

TEST(ObjectTableTest, HasTheColumnsThatWereAskedFor) {
  const json::array objects{ObjectOf(R"({"ns":"x","name":"a","more":"1"})"),
                            ObjectOf(R"({"ns":"y","name":"b"})")};
  const std::vector<Column> columns{{"NS", TextCell({"ns"}), Column::When::kAllNamespaces},
                                    {"NAME", TextCell({"name"})},
                                    {"MORE", TextCell({"more"}), Column::When::kWide},
                                    {"LAST", TextCell({"last"})}};
  EXPECT_EQ(ObjectTable("things", objects, columns), "NAME   LAST\na\nb\n");
  EXPECT_EQ(ObjectTable("things", objects, columns, AskFlags{.all_namespaces = true}),
            "NS   NAME   LAST\nx    a\ny    b\n");
  EXPECT_EQ(ObjectTable("things", objects, columns, AskFlags{.output = "wide"}),
            "NAME   MORE   LAST\na      1\nb      -\n")
      << "what -o wide adds is never empty, so that its columns can be told apart";
  EXPECT_EQ(
      ObjectTable("things", objects, columns, AskFlags{.all_namespaces = true, .output = "wide"}),
      "NS   NAME   MORE   LAST\nx    a      1\ny    b      -\n");
  EXPECT_EQ(ObjectTable("things", {}, columns), "No things.\n");
}

TEST(ObjectTableTest, WhatIsNoObjectIsALineWithNothingInIt) {
  EXPECT_EQ(ObjectTable("things", {nullptr, 7, "x"}, {{"A", TextCell({"a"}, "-")}}),
            "A\n-\n-\n-\n");
}

TEST(ObjectTableTest, ThousandsOfLinesAreLinesOfOneWidth) {
  json::array objects;
  for (int i = 0; i < 5000; ++i) objects.push_back(json::object{{"name", std::to_string(i)}});
  const std::string text =
      ObjectTable("things", objects, {{"NAME", TextCell({"name"})}, {"X", TextCell({"x"}, "-")}});
  EXPECT_EQ(std::ranges::count(text, '\n'), 5001);
  EXPECT_TRUE(text.starts_with("NAME   X\n0      -\n"));
  EXPECT_TRUE(text.ends_with("\n4999   -\n"));
}

}  // namespace
}  // namespace basalt::cli
