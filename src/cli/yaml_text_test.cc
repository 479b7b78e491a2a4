#include "cli/yaml_text.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "yaml/json.h"

namespace basalt::cli {
namespace {

TEST(YamlTextTest, WhatIsWrittenReadsBackAsTheSame) {
  for (
      const char* text : {
          R"({"a":1,"b":"x","c":null,"d":true})",
          R"({"list":[{"a":"1","b":["x","y"]},{"a":"yes"}],"empty":[],"none":{}})",
          R"({"message":"0/3 nodes: 2 Insufficient cpu, \"quoted\"\n","12":"0x1","k":{"l":{"m":-1.5}}})",
          R"([[1,2],[],["- a"]])",
          R"({"no":"no","Null":"null","true":"true"})",
      }) {
    const boost::json::value value = boost::json::parse(text);
    const auto read = ParseYaml(YamlText(value));
    ASSERT_TRUE(read.has_value()) << text << read.error().message << YamlText(value);
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ(read->front().value, value) << YamlText(value);
  }
}

}  // namespace
}  // namespace basalt::cli
