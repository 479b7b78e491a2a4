#include "apiserver/kinds/syntax.h"

#include <gtest/gtest.h>

namespace basalt::apiserver::syntax {
namespace {

struct Texts {
  const char* name;
  Complaint (*check)(std::string_view text);
  std::vector<std::string> fine;
  std::vector<std::string> wrong;
};

TEST(SyntaxTest, WhatNamesAndValuesLookLike) {
  const std::string long_label(64, 'a');
  const std::string long_domain(254, 'a');
  const Texts rows[] = {
      {"label", Dns1123Label, {"a", "a-1", "1"}, {"", "A", "-a", "a-", "a.b", long_label}},
      {"subdomain",
       Dns1123Subdomain,
       {"a", "a.b-c.1"},
       {"", ".a", "a.", "a..b", "a_b", long_domain}},
      {"qualified",
       QualifiedName,
       {"a", "A_b.c", "x.y/A"},
       {"", "/a", "a/", "a/b/c", "X.y/a", "-a", "a b", long_label}},
      {"label value", LabelValue, {"", "a", "A.b_c"}, {"-a", "a b", long_label}},
      {"environment", EnvVarName, {"a", "A.b-c 1"}, {"", "a=b", "\t"}},
      {"key", ConfigMapKey, {"a", "A_b.c", ".a"}, {"", ".", "..", "..a", "a/b", long_domain}},
      {"port name", PortName, {"a", "a-1"}, {"", "1", "A", "-a", "a--b", "a-name-of-a-port"}},
      {"address", IpAddress, {"10.0.0.1", "::1"}, {"", "10.0.0", "x"}},
      {"address or None", IpAddressOrNone, {"10.0.0.1", "None"}, {"", "none"}},
      {"network", Cidr, {"10.0.0.0/8", "::/0"}, {"", "10.0.0.0", "x/8"}},
      {"search path", SearchPath, {".", "a.b", "a.b.", "_a._b"}, {"", "A", "a..b"}},
      {"trimmed", Trimmed, {"", "a", "a b"}, {" a", "a\t"}},
      {"path", PathWithoutBacksteps, {"/a", "a/..b", "..."}, {"..", "/a/../b", "../a", "a/.."}},
      {"relative path", RelativePath, {"a/b"}, {"/a", "..a", "../a"}},
      {"domain", DomainOfThreeSegments, {"a.b.c"}, {"a.b", "A.b.c", ""}},
      {"path segment", PathSegment, {"system:node", "a.b"}, {".", "..", "a/b", "a%b"}},
      {"finalizer", FinalizerName, {"kubernetes", "a.b/c"}, {"", "mine"}},
      {"domain path", DomainPath, {"a.b/c"}, {"", "a.b"}},
      {"URL",
       HttpsUrl,
       {"https://h", "https://h/p"},
       {"", "http://h", "https:///p", "https://h?a"}},
  };
  for (const Texts& row : rows) {
    for (const std::string& text : row.fine) {
      EXPECT_TRUE(row.check(text).empty()) << row.name << ": " << text;
    }
    for (const std::string& text : row.wrong) {
      EXPECT_FALSE(row.check(text).empty()) << row.name << ": " << text;
    }
  }
}

}  // namespace
}  // namespace basalt::apiserver::syntax
