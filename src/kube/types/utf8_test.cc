#include "kube/types/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::kube {
namespace {

TEST(ReplaceInvalidUtf8, KeepsCharactersAndReplacesOtherBytes) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
      {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"},
      {"a\xff z", "a? z"},
      {"\x80", "?"},
      {"\xc3", "?"},                // cut off
      {"\xe2\x82", "??"},           // cut off
      {"\xc0\xaf", "??"},           // longer than need be
      {"\xe0\x80\x80", "???"},      // longer than need be
      {"\xed\xa0\x80", "???"},      // half of a surrogate pair
      {"\xf4\x90\x80\x80", "????"}  // past the last character
  };
  for (auto [text, want] : cases) {
    ReplaceInvalidUtf8(text);
    EXPECT_EQ(text, want);
  }
}

}  // namespace
}  // namespace basalt::kube
