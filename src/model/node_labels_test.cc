#include "model/node_labels.h"

#include <gtest/gtest.h>

namespace basalt::model {
namespace {

TEST(NodeLabelsTest, CountsNodesByKeyAndByValueAsTheyComeAndGo) {
  NodeLabels labels;
  const kube::StringMap a{{"zone", "east"}, {"gpu", "yes"}};
  const kube::StringMap b{{"zone", "west"}};
  labels.Add(a);
  labels.Add(b);
  EXPECT_EQ(labels.NodesWith("zone"), 2);
  EXPECT_EQ(labels.NodesWith("zone", "east"), 1);
  EXPECT_EQ(labels.NodesWith("zone", "north"), 0);
  EXPECT_EQ(labels.NodesWith("gpu"), 1);
  labels.Remove(a);
  EXPECT_EQ(labels.NodesWith("zone"), 1);
  EXPECT_EQ(labels.NodesWith("zone", "east"), 0);
  EXPECT_EQ(labels.NodesWith("gpu"), 0);
}

}  // namespace
}  // namespace basalt::model
