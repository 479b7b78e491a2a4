#include "scheduler/query/query_secret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "testing/cluster.h"

namespace basalt::scheduler::query {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

TEST(QuerySecretTest, MakesTheNamespaceAndTheSecretAndReplacesItOnTheNextLeadership) {
  testutil::SimCluster cluster;
  for (const char* token : {"first", "second"}) {
    QuerySecret secret(cluster.client(), "volcano-system",
                       {.address = "127.0.0.1:1", .ca_pem = "PEM", .token = token});
    secret.Publish();
    cluster.loop().RunFor(1s);
    EXPECT_TRUE(secret.published());
    const json::value found = cluster.Get(resources::kSecrets, "volcano-system", "basalt-query");
    const Result<QueryAccess> read = ReadQuerySecret(json::serialize(found));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->address, "127.0.0.1:1");
    EXPECT_EQ(read->ca_pem, "PEM");
    EXPECT_EQ(read->token, token);
  }
}

TEST(QuerySecretTest, WhatIsMissingInASecretIsNamed) {
  const Result<QueryAccess> read = ReadQuerySecret(R"({"data":{"address":"YQ=="}})");
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, testing::HasSubstr("ca.crt"));
  EXPECT_FALSE(ReadQuerySecret("nonsense").has_value());
  EXPECT_FALSE(ReadQuerySecret(R"({"data":[]})").has_value());
}

}  // namespace
}  // namespace basalt::scheduler::query
