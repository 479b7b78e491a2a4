#include <gtest/gtest.h>

#include "apiserver/kinds/checks.h"

namespace basalt::apiserver {
namespace {

struct Texts {
  const char* format;
  std::vector<std::string> fine;
  std::vector<std::string> wrong;
};

TEST(SyntaxTest, WhatNamesAndValuesLookLike) {
  const std::string long_label(64, 'a');
  const std::string long_domain(254, 'a');
  const Texts rows[] = {
      {"dnsLabel", {"a", "a-1", "1"}, {"", "A", "-a", "a-", "a.b", long_label}},
      {"dnsSubdomain", {"a", "a.b-c.1"}, {"", ".a", "a.", "a..b", "a_b", long_domain}},
      {"qualifiedName",
       {"a", "A_b.c", "x.y/A"},
       {"", "/a", "a/", "a/b/c", "X.y/a", "-a", "a b", long_label}},
      {"labelValue", {"", "a", "A.b_c"}, {"-a", "a b", long_label}},
      {"envVarName", {"a", "A.b-c 1"}, {"", "a=b", "\t"}},
      {"configKey", {"a", "A_b.c", ".a"}, {"", ".", "..", "..a", "a/b", long_domain}},
      {"portName", {"a", "a-1"}, {"", "1", "A", "-a", "a--b", "a-name-of-a-port"}},
      {"ip", {"10.0.0.1", "::1"}, {"", "10.0.0", "x"}},
      {"ipOrNone", {"10.0.0.1", "None"}, {"", "none"}},
      {"cidr", {"10.0.0.0/8", "::/0"}, {"", "10.0.0.0", "x/8"}},
      {"searchPath", {".", "a.b", "a.b.", "_a._b"}, {"", "A", "a..b"}},
      {"trimmed", {"", "a", "a b"}, {" a", "a\t"}},
      {"noBacksteps", {"/a", "a/..b", "..."}, {"..", "/a/../b", "../a", "a/.."}},
      {"relativePath", {"a/b"}, {"/a", "..a", "../a"}},
      {"threeSegments", {"a.b.c"}, {"a.b", "A.b.c", ""}},
      {"pathSegment", {"system:node", "a.b"}, {".", "..", "a/b", "a%b"}},
      {"finalizer", {"kubernetes", "a.b/c"}, {"", "mine"}},
      {"domainPath", {"a.b/c"}, {"", "a.b"}},
      {"httpsUrl", {"https://h", "https://h/p"}, {"", "http://h", "https:///p", "https://h?a"}},
  };
  for (const Texts& row : rows) {
    for (const std::string& text : row.fine) {
      EXPECT_TRUE(Misfit(row.format, text).empty()) << row.format << ": " << text;
    }
    for (const std::string& text : row.wrong) {
      EXPECT_FALSE(Misfit(row.format, text).empty()) << row.format << ": " << text;
    }
  }
}

}  // namespace
}  // namespace basalt::apiserver
