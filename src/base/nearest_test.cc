#include "base/nearest.h"

#include <gtest/gtest.h>

namespace basalt {
namespace {

TEST(NearestTest, SuggestsTheFewestEditsOrNothing) {
  const std::vector<std::string> known = {"--nodes", "--node-cpu", "--node-memory", "--listen"};
  struct Case {
    const char* typed;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{{"--node", "--nodes"},
                                                   {"--lisetn", "--listen"},
                                                   {"--node-mem", "--node-memory"},
                                                   {"--nod-cpu", "--node-cpu"},
                                                   {"--xyzzy", ""}}) {
    EXPECT_EQ(Nearest(c.typed, known), c.want) << c.typed;
  }
}

}  // namespace
}  // namespace basalt
