#include "net/url.h"

#include <gtest/gtest.h>

namespace basalt::net {
namespace {

TEST(UrlTest, ReadsSchemeHostPortAndPath) {
  struct Row {
    std::string_view text;
    bool tls;
    std::string_view host;
    int port;
    std::string_view path;
    std::string_view authority;
  };
  const Row rows[] = {
      {"https://10.0.0.1:6443", true, "10.0.0.1", 6443, "", "10.0.0.1:6443"},
      {"https://a.test", true, "a.test", 443, "", "a.test"},
      {"http://a.test:80/x/y?z=1", false, "a.test", 80, "/x/y?z=1", "a.test"},
      {"https://[fd00::1]:8443/k", true, "fd00::1", 8443, "/k", "[fd00::1]:8443"},
      {"https://a.test:", true, "a.test", 443, "", "a.test"},
  };
  for (const Row& row : rows) {
    const auto url = ParseUrl(row.text);
    ASSERT_TRUE(url) << row.text << url.error().message;
    EXPECT_EQ(url->tls, row.tls) << row.text;
    EXPECT_EQ(url->host, row.host) << row.text;
    EXPECT_EQ(url->port, row.port) << row.text;
    EXPECT_EQ(url->path, row.path) << row.text;
    EXPECT_EQ(url->Authority(), row.authority) << row.text;
  }
}

TEST(UrlTest, RefusesWhatNoServerHas) {
  for (const char* text : {"", "a.test", "a.test:6443", "ftp://a.test", "https://", "https:///x",
                           "https://me:pw@a.test", "https://a.test/#x", "https://a.test:0",
                           "https://a.test:70000", "https://a test", "https://a.test:x"}) {
    const auto url = ParseUrl(text);
    EXPECT_FALSE(url) << text;
    if (url) continue;
    EXPECT_NE(url.error().message.find(text), std::string::npos);
  }
}

TEST(UrlTest, PercentEncodingGoesBothWays) {
  EXPECT_EQ(PercentEncode("a=b,c in (d)"), "a%3Db%2Cc%20in%20%28d%29");
  EXPECT_EQ(PercentEncode("-._~09azAZ"), "-._~09azAZ");
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(PercentDecode(PercentEncode(all)), all);
  for (const char* broken : {"%", "%2", "%zz", "a%2", "%2x"}) {
    EXPECT_EQ(PercentDecode(broken), std::nullopt) << broken;
  }
}

TEST(UrlTest, TellsAddressesFromNames) {
  for (const char* text : {"127.0.0.1", "::1", "fd00::1"}) EXPECT_TRUE(IsIpAddress(text)) << text;
  for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4.5"}) {
    EXPECT_FALSE(IsIpAddress(text)) << text;
  }
}

}  // namespace
}  // namespace basalt::net
