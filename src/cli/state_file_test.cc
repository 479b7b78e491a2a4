#include "cli/state_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace basalt::cli {
namespace {

using testing::HasSubstr;

class StateFileTest : public testing::Test {
 protected:
  ~StateFileTest() override { std::remove(path_.c_str()); }
  Result<std::vector<scheduler::simulate::Object>> Read(const std::string& text) {
    std::ofstream(path_) << text;
    return ReadState(path_);
  }
  const std::string path_ = testing::TempDir() + "state-" + std::to_string(getpid());
};

TEST_F(StateFileTest, HoldsWhatKubectlWritesAndLeavesOutWhatNobodyDecidesBy) {
  const auto objects = Read(R"(
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n1}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: a}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: a}
spec: {containers: []}
)");
  ASSERT_TRUE(objects.has_value()) << objects.error().message;
  ASSERT_EQ(objects->size(), 2u);
  EXPECT_EQ(std::get<kube::Pod>(objects->at(1)).meta.Key(), "a/p");
}

TEST_F(StateFileTest, SaysWhatIsWrong) {
  EXPECT_THAT(Read("{}").error().message, HasSubstr("apiVersion is missing"));
  EXPECT_THAT(Read("{apiVersion: v1, kind: Secret, metadata: {name: s}}").error().message,
              HasSubstr("--record"));
  EXPECT_THAT(Read("{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: "
                   "{cpu: many}}}")
                  .error()
                  .message,
              HasSubstr("document 1"));
  EXPECT_THAT(ReadState("/no/such/file").error().message, HasSubstr("/no/such/file"));
}

}  // namespace
}  // namespace basalt::cli
