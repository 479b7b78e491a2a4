#include "kube/client/access_secret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "testing/cluster.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;

TEST(AccessSecretTest, MakesTheNamespaceAndTheSecretAndReplacesItOnTheNextLeadership) {
  testutil::SimCluster cluster;
  for (const char* token : {"first", "second"}) {
    AccessSecret secret(cluster.client(), "volcano-system", "basalt-query",
                        {.address = "127.0.0.1:1", .ca_pem = "PEM", .token = token});
    secret.Publish();
    cluster.loop().RunFor(1s);
    EXPECT_TRUE(secret.published());
    const json::value found = cluster.Get(resources::kSecrets, "volcano-system", "basalt-query");
    const Result<Access> read = ReadAccessSecret("basalt-query", json::serialize(found));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->address, "127.0.0.1:1");
    EXPECT_EQ(read->ca_pem, "PEM");
    EXPECT_EQ(read->token, token);
  }
}

TEST(AccessSecretTest, WhatIsMissingInASecretIsNamed) {
  const Result<Access> read = ReadAccessSecret("basalt-query", R"({"data":{"address":"YQ=="}})");
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, testing::HasSubstr("ca.crt"));
  EXPECT_FALSE(ReadAccessSecret("s", "nonsense").has_value());
  EXPECT_FALSE(ReadAccessSecret("basalt-query", R"({"data":[]})").has_value());
}

}  // namespace
}  // namespace basalt::kube
