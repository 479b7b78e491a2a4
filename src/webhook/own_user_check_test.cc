#include "webhook/own_user_check.h"

#include <gtest/gtest.h>

#include "testing/cluster.h"

namespace basalt::webhook {
namespace {

// The embedded server takes everybody for "admin".
TEST(OwnUserCheckTest, WarnsOfAUserWhoseWritesAreNotLeftOut) {
  struct Case {
    const char* what;
    std::vector<std::string> own_users;
    const char* looked_at;
  };
  const Case cases[] = {{"nobody is left out", {}, "admin"},
                        {"others are", {"system:serviceaccount:basalt-system:basalt"}, "admin"},
                        {"it is", {"somebody", "admin"}, ""}};
  testutil::SimCluster cluster;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    OwnUserCheck check(cluster.client(), c.own_users);
    check.Start();
    EXPECT_EQ(check.looked_at(), "");
    cluster.loop().RunFor(10s);
    EXPECT_EQ(check.looked_at(), c.looked_at);
  }
}

}  // namespace
}  // namespace basalt::webhook
