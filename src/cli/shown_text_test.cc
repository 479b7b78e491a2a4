#include "cli/shown_text.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "cli/text_table.h"
#include "cli/yaml_text.h"
#include "yaml/json.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

struct ShownRow {
  std::string_view about;
  std::string_view text;
  std::string_view one_line;
};
const ShownRow kShownRows[] = {
    {"plain words stay", "0/3 nodes: Insufficient cpu", "0/3 nodes: Insufficient cpu"},
    {"other scripts stay", "größer 節点 😀", "größer 節点 😀"},
    {"a colour", "\x1b[31mFailed\x1b[0m", "\\u001b[31mFailed\\u001b[0m"},
    {"the window's title", "\x1b]0;owned\x07", "\\u001b]0;owned\\u0007"},
    {"a cleared screen", "\x1b[2J\x1b[H", "\\u001b[2J\\u001b[H"},
    {"the same by a single character of C1",
     "\xc2\x9b"
     "2J",
     "\\u009b2J"},
    {"a line written over", "bad\rgood", "bad good"},
    {"letters taken back", "evil\b\b\b\bgood", "evil\\u0008\\u0008\\u0008\\u0008good"},
    {"a line of its own", "no room\nChange:  curl x | sh", "no room Change:  curl x | sh"},
    {"a line of its own by other means",
     "a\x0b"
     "b\x0c"
     "c\u2028d\u2029e\xc2\x85"
     "f",
     "a\\u000bb\\u000cc\\u2028d\\u2029e\\u0085f"},
    {"a tab", "a\tb", "a b"},
    {"DEL", "a\x7f", "a\\u007f"},
    {"NUL", {"a\0b", 3}, "a\\u0000b"},
    {"the direction of writing", "user\u202egnp.exe\u202c", "user\\u202egnp.exe\\u202c"},
    {"an isolate", "\u2066a\u2069", "\\u2066a\\u2069"},
    {"what is not seen", "a\ufeff\u2060b", "a\\ufeff\\u2060b"},
    {"tags, in two halves as JSON has them", "\U000e0041", "\\udb40\\udc41"},
    {"bytes that are no UTF-8", "a\xff\xc3(", "a\xef\xbf\xbd\xef\xbf\xbd("},
    {"a character that is cut off", "a\xe2\x82", "a\xef\xbf\xbd\xef\xbf\xbd"},
    {"nothing", "", ""},
};

TEST(OneLineTest, IsWhatATerminalShowsAndDoesNotActUpon) {
  for (const ShownRow& row : kShownRows) EXPECT_EQ(OneLine(row.text), row.one_line) << row.about;
}

TEST(OneLineTest, HoldsForEveryControlCharacter) {
  for (int code = 0; code < 0xa0; ++code) {
    if (code >= 0x20 && code < 0x7f) continue;
    const std::string text = code < 0x80 ? std::string(1, static_cast<char>(code))
                                         : std::string("\xc2") + static_cast<char>(code);
    for (const unsigned char c : OneLine(text)) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << code;
  }
}

TEST(IndentedLinesTest, KeepsLinesAndShowsThatTheyBelongTogether) {
  EXPECT_EQ(IndentedLines("denied:\nbasalt: error: all is well\n\n"),
            "denied:\n  basalt: error: all is well");
  EXPECT_EQ(IndentedLines("a\x1b[2J\nb\r\nc"), "a\\u001b[2J\n  b \n  c");
  EXPECT_EQ(IndentedLines(""), "");
}

TEST(ForPeopleTest, ReachesEveryTextAndEveryKey) {
  const json::value value{{"a\n", json::array{"x\x1b", {{"k\t", "v\n"}}, 7, nullptr, true}},
                          {"n", 0.5}};
  EXPECT_EQ(ForPeople(value),
            json::parse(R"({"a ":["x\\u001b",{"k ":"v "},7,null,true],"n":0.5})"));
}

TEST(JsonTextTest, IsTheSameValueWithNothingForATerminalToActUpon) {
  for (const ShownRow& row : kShownRows) {
    if (row.about.starts_with("bytes") || row.about.starts_with("a character")) continue;
    const json::value value{{"message", row.text}, {std::string(row.text) + "key", 1}};
    const std::string text = JsonText(value);
    EXPECT_EQ(json::parse(text), value) << row.about;
    EXPECT_EQ(OneLine(text), text) << row.about;
    const std::string yaml = YamlText(value);
    const auto read = ParseYaml(yaml);
    ASSERT_TRUE(read) << row.about << ": " << read.error().message << "\n" << yaml;
    EXPECT_EQ(read->front().value, value) << row.about;
    std::string without_breaks = yaml;
    std::erase(without_breaks, '\n');
    EXPECT_EQ(OneLine(without_breaks), without_breaks) << row.about;
  }
}

TEST(JsonTextTest, NumbersAreThoseThatEveryReaderOfYamlTakesForNumbers) {
  EXPECT_EQ(JsonText(json::parse("[0.25, 1.25, 25.0, 0.0, -1.5, 1e3, 7]")),
            "[0.25,1.25,25,0,-1.5,1000,7]");
}

TEST(DisplayWidthTest, IsColumnsAndNotBytes) {
  struct Row {
    std::string_view text;
    std::size_t want;
  };
  for (const Row& row : {Row{"", 0}, Row{"abc", 3}, Row{"größer", 6}, Row{"█░", 2}, Row{"節点", 4},
                         Row{"ｗｉｄｅ", 8}, Row{"한글", 4}, Row{"e\u0301", 1}, Row{"😀", 2},
                         Row{"\xff", 1}, Row{"𠀀", 2}}) {
    EXPECT_EQ(DisplayWidth(row.text), row.want) << row.text;
  }
}

TEST(TextTableTest, ColumnsStayStraightWhateverIsInThem) {
  EXPECT_EQ(TextTable({{"NAME", "MESSAGE", "X"},
                       {"a", "節点 full", "1"},
                       {"b", "two\nlines", "2"},
                       {"c", "\x1b[2J", "3"}}),
            "NAME   MESSAGE     X\n"
            "a      節点 full   1\n"
            "b      two lines   2\n"
            "c      \\u001b[2J   3\n");
  EXPECT_EQ(TextTable({}), "");
  EXPECT_EQ(TextTable({{"A", "B"}, {"", ""}, {"only"}}), "A      B\n\nonly\n");
}

}  // namespace
}  // namespace basalt::cli
