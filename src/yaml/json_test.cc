#include "yaml/json.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace basalt {
namespace {

namespace json = boost::json;

std::string One(std::string_view yaml) {
  const auto documents = ParseYaml(yaml);
  if (!documents) return "error: " + documents.error().message;
  if (documents->size() != 1) return "documents: " + std::to_string(documents->size());
  return json::serialize((*documents)[0].value);
}

TEST(YamlJsonTest, TypesPlainScalarsAsKubernetesDoes) {
  struct Case {
    const char* yaml;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"1", "1"},
           {"-17", "-17"},
           {"+5", "5"},
           {"0644", "420"},
           {"0o644", "420"},
           {"0xff", "255"},
           {"089", "89"},
           {"9223372036854775807", "9223372036854775807"},
           {"9223372036854775808", "9223372036854775808"},
           {"-9223372036854775808", "-9223372036854775808"},
           {"1.5", "1.5E0"},
           {".5", "5E-1"},
           {"1e3", "1E3"},
           {"1_000", "\"1_000\""},
           {"1.2.3", "\"1.2.3\""},
           {"100m", "\"100m\""},
           {"1Gi", "\"1Gi\""},
           {"true", "true"},
           {"False", "false"},
           {"yes", "\"yes\""},
           {"on", "\"on\""},
           {"null", "[]"},
           {"'1'", "\"1\""},
           {"\"true\"", "\"true\""},
           {"'null'", "\"null\""},
           {"''", "\"\""},
           {"!!str 12", "\"12\""},
           {"!!int 12", "12"},
           {"2024-01-02T03:04:05Z", "\"2024-01-02T03:04:05Z\""},
           {"|\n  12\n", "\"12\\n\""},
           {".inf", "error: document 1, line 1: .inf is not a number in JSON"},
       }) {
    const std::string got = One(std::string("- ") + c.yaml);
    const std::string want = std::string(c.want).starts_with("error") ? std::string(c.want)
                             : std::string(c.want) == "[]"            ? "[null]"
                                                           : "[" + std::string(c.want) + "]";
    EXPECT_EQ(got, want) << c.yaml;
  }
}

TEST(YamlJsonTest, ConvertsMapsSequencesAnchorsAndMerges) {
  EXPECT_EQ(One("a: {b: [1, x], c: }\n\"1\": z"), R"({"a":{"b":[1,"x"],"c":null},"1":"z"})");
  EXPECT_EQ(One("base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3"),
            R"({"base":{"x":1,"y":2},"use":{"y":3,"x":1}})");
  EXPECT_EQ(One("8080: a"), R"({"8080":"a"})");
}

TEST(YamlJsonTest, ReadsManyDocumentsAndSkipsEmptyOnes) {
  const auto documents = ParseYaml("# header\n---\na: 1\n---\n---\nb: 2\n");
  ASSERT_TRUE(documents) << documents.error().message;
  ASSERT_EQ(documents->size(), 2u);
  EXPECT_EQ((*documents)[0].line, 3);
  EXPECT_EQ((*documents)[1].number, 3);
  EXPECT_EQ((*documents)[1].line, 6);
}

TEST(YamlJsonTest, ReadsJsonValuesOneAfterTheOther) {
  const auto documents = ParseYaml("{\"a\":\"\\/\",\n\t\"b\":1}\n{\"c\":2}");
  ASSERT_TRUE(documents) << documents.error().message;
  ASSERT_EQ(documents->size(), 2u);
  EXPECT_EQ(json::serialize((*documents)[0].value), R"({"a":"/","b":1})");
  EXPECT_EQ((*documents)[1].line, 3);
  EXPECT_EQ(One("{a: b}"), R"({"a":"b"})");
}

TEST(YamlJsonTest, NamesDocumentAndLineOfAnError) {
  EXPECT_EQ(One("a: 1\n---\nb: 1\nb: 2\n"), "error: document 2, line 4: key \"b\" is given twice");
  EXPECT_TRUE(One("a: 1\n---\nb: [1\n").starts_with("error: document 2, line "))
      << One("a: 1\n---\nb: [1\n");
  EXPECT_TRUE(One("a: 1\n b: 2\n").starts_with("error: document 1, line 2: "));
  EXPECT_EQ(One("? [a]\n: 1"), "error: document 1, line 1: a key must be a plain or quoted scalar");
  EXPECT_EQ(One("a: !!binary aGk="),
            "error: document 1, line 1: the tag tag:yaml.org,2002:binary is not supported");
  EXPECT_EQ(One("<<: 3"), "error: document 1, line 1: a merge key (<<) needs a map");
}

TEST(YamlJsonTest, ComesToAnEndOnACommaOutOfPlace) {
  EXPECT_EQ(One("a: 1\n---\n,{}"), "error: document 2, line 3: unexpected character");
}

TEST(YamlJsonTest, RefusesWhatIsNoText) {
  for (const std::string& bad :
       {std::string("\xc0\x80"), std::string("\xff"), std::string("\x04"), std::string("\0", 1),
        std::string("\xed\xa0\x80"), std::string("\xe2\x82")}) {
    EXPECT_EQ(One("a: 1\nb: " + bad),
              "error: document 1, line 2: not UTF-8, or a control character, which YAML does not "
              "allow");
  }
  EXPECT_EQ(One("a: \xe2\x82\xac\xf0\x9f\x98\x80"), "{\"a\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}");
}

TEST(YamlJsonTest, RefusesAnAliasBomb) {
  std::string yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) yaml += (j ? ", *a" : "*a") + std::to_string(i - 1);
    yaml += "]\n";
  }
  EXPECT_NE(One(yaml).find("too large once aliases are resolved"), std::string::npos);
  EXPECT_NE(One(std::string(200, '[') + std::string(200, ']')).find("nested too deeply"),
            std::string::npos);
}

}  // namespace
}  // namespace basalt
