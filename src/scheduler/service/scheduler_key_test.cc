#include "scheduler/service/scheduler_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "testing/cluster.h"

namespace basalt::scheduler {
namespace {

namespace resources = kube::resources;

class SchedulerKeyTest : public testing::Test {
 protected:
  Result<std::string> Get(const std::string& fresh) {
    SchedulerKey key(cluster_.client(), "volcano-system", [fresh] { return fresh; });
    std::optional<Result<std::string>> got;
    key.Get([&](Result<std::string> result) { got = std::move(result); });
    EXPECT_TRUE(cluster_.loop().RunUntil([&] { return got.has_value(); }, 1min));
    return *got;
  }
  testutil::SimCluster cluster_;
};

TEST_F(SchedulerKeyTest, TheFirstMakesItWithItsNamespaceAndAllOthersReadIt) {
  EXPECT_EQ(Get("the key of the first one"), "the key of the first one");
  EXPECT_EQ(Get("the key of the second one"), "the key of the first one");
  EXPECT_FALSE(cluster_.Get(resources::kNamespaces, "", "volcano-system").is_null());
}

TEST_F(SchedulerKeyTest, TwoThatStartTogetherHaveTheSame) {
  std::vector<std::string> got;
  const auto take = [&](const Result<std::string>& key) { got.push_back(key.value_or("")); };
  SchedulerKey a(cluster_.client(), "volcano-system", [] { return "the key of the first one"; });
  SchedulerKey b(cluster_.client(), "volcano-system", [] { return "the key of the second one"; });
  a.Get(take);
  b.Get(take);
  EXPECT_TRUE(cluster_.loop().RunUntil([&] { return got.size() == 2; }, 1min));
  EXPECT_EQ(got[0], got[1]);
  EXPECT_NE(got[0], "");
}

TEST_F(SchedulerKeyTest, ASecretWithoutAKeyIsNotTakenForOne) {
  cluster_.Create(testutil::MakeObject(resources::kNamespaces, "volcano-system"));
  cluster_.Create(testutil::MakeObject(resources::kSecrets, SchedulerKey::kSecretName)
                      .Ns("volcano-system")
                      .Set("data.key", "c2hvcnQ="));
  const Result<std::string> key = Get("the key of the first one");
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().message,
            "Secret volcano-system/basalt-scheduler-key: it has no usable key");
}

}  // namespace
}  // namespace basalt::scheduler
