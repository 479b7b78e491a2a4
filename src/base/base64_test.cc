#include "base/base64.h"

#include <gtest/gtest.h>

namespace basalt {
namespace {

TEST(Base64Test, EncodesAndDecodes) {
  const std::pair<std::string_view, std::string_view> rows[] = {{"", ""},
                                                                {"f", "Zg=="},
                                                                {"fo", "Zm8="},
                                                                {"foo", "Zm9v"},
                                                                {"foob", "Zm9vYg=="},
                                                                {"fooba", "Zm9vYmE="},
                                                                {"foobar", "Zm9vYmFy"},
                                                                {"\xff\xfe\xfd", "//79"}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(Base64Encode(bytes), text);
    EXPECT_EQ(Base64Decode(text), bytes);
  }
  EXPECT_EQ(Base64Decode("Zm9v\r\nYmFy\n"), "foobar");
}

TEST(Base64Test, RefusesWhatIsNot) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Zm8==", "=", "====", "Zg==Zg==", "Zm9v!",
                           "Z-9_", "Zg=v", " Zg=="}) {
    EXPECT_EQ(Base64Decode(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace basalt
