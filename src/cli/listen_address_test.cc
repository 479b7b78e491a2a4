#include "cli/listen_address.h"

#include <gtest/gtest.h>

namespace basalt::cli {
namespace {

TEST(ListenAddressTest, ReadsAddressesAndRefusesOthers) {
  struct Case {
    const char* text;
    const char* want;  // URL for port 1; empty: refused
  };
  for (const Case& c : std::initializer_list<Case>{{"127.0.0.1:6443", "https://127.0.0.1:1"},
                                                   {"[::1]:0", "https://[::1]:1"},
                                                   {":0", "https://127.0.0.1:1"},
                                                   {"localhost:5", "https://127.0.0.1:1"},
                                                   {"0.0.0.0:5", "https://0.0.0.0:1"},
                                                   {"6443", ""},
                                                   {"::1:5", ""},
                                                   {"example.org:5", ""},
                                                   {"127.0.0.1:", ""},
                                                   {"127.0.0.1:65536", ""},
                                                   {"127.0.0.1:-1", ""},
                                                   {"[127.0.0.1]:1", ""}}) {
    const auto got = ParseListenAddress(c.text);
    EXPECT_EQ(got ? got->Url(1) : "", c.want) << c.text;
  }
  EXPECT_TRUE(ParseListenAddress("127.0.0.9:1")->loopback());
  EXPECT_FALSE(ParseListenAddress("0.0.0.0:1")->loopback());
}

}  // namespace
}  // namespace basalt::cli
