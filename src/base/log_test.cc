#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace basalt::log {
namespace {

using testing::HasSubstr;

std::string Said(std::string_view value) {
  testing::internal::CaptureStderr();
  Info("said", {{"value", value}});
  return testing::internal::GetCapturedStderr();
}

TEST(LogTest, AValueStandsBareOnlyWhereNothingInItCanMislead) {
  struct Row {
    std::string_view value;
    std::string_view line;
  };
  const Row rows[] = {
      {"plain/name-1", "value=plain/name-1\n"},
      {"gr\xc3\xbc\xc3\x9f", "value=gr\xc3\xbc\xc3\x9f\n"},
      {"", "value=\"\"\n"},
      {"two words", "value=\"two words\"\n"},
      {"a=b", "value=\"a=b\"\n"},
      {"a\nI forged", "value=\"a\\nI forged\"\n"},
      {"\x1b[2J", "value=\"\\u001b[2J\"\n"},
      {"a\x7f", "value=\"a\\u007f\"\n"},
      {"a\xc2\x9b"
       "2J",
       "value=\"a\\u009b2J\"\n"},
  };
  for (const Row& row : rows) EXPECT_THAT(Said(row.value), HasSubstr(std::string(row.line)));
}

TEST(LogTest, AnotherFormHoldsFromThenOnAndWholly) {
  Configure(Level::kInfo, Format::kJson);
  const std::string json = Said("x");
  Configure(Level::kInfo, Format::kText);
  EXPECT_TRUE(json.starts_with("{\"time\":\"")) << json;
  EXPECT_THAT(json, HasSubstr("\"level\":\"info\",\"message\":\"said\",\"value\":\"x\"}\n"));
  EXPECT_THAT(Said("x"), testing::EndsWith("Z I said value=x\n"));
}

}  // namespace
}  // namespace basalt::log
