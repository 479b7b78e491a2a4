// What is known of all nodes together, from change to change.
#include "scheduler/plugins/nodeorder/node_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeNode;
using testutil::TestCluster;

constexpr std::int64_t kMiB = 1024 * 1024;

class NodeFactsTest : public testing::Test {
 protected:
  void Set(const char* name, std::initializer_list<const char*> images, std::int64_t mebibytes,
           bool soft_taint = false) {
    kube::Node node = MakeNode(name, {{"cpu", "1"}});
    for (const char* image : images) {
      node.status.images.push_back({.names = {image}, .size_bytes = mebibytes * kMiB});
    }
    if (soft_taint) {
      node.spec.taints.push_back({.key = "a", .effect = kube::TaintEffect::kPreferNoSchedule});
    }
    given_.Add(std::move(node));
    facts_.Update(given_.cluster);
  }
  static kube::Pod PodOf(std::initializer_list<const char*> images) {
    kube::Pod pod;
    for (const char* image : images) {
      kube::Container container;
      container.image = image;
      pod.spec.containers.push_back(std::move(container));
    }
    return pod;
  }
  double Score(const kube::Pod& pod, const char* node) {
    const model::NodeId id = given_.node(node).id;
    double score = 0;
    facts_.AddImageScores(pod, 1, std::span(&id, 1), std::span(&score, 1));
    return score;
  }

  TestCluster given_;
  NodeFacts facts_;
};

TEST_F(NodeFactsTest, AnImageIsKnownAsLongAsANodeHasIt) {
  EXPECT_FALSE(facts_.KnowsImagesOf(PodOf({"web:1"})));
  Set("n1", {"web:1"}, 500);
  Set("n2", {"web:1"}, 500);
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"web:1"})));
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"other:1", "web:1"}))) << "one of them is enough";
  EXPECT_FALSE(facts_.KnowsImagesOf(PodOf({"other:1"})));
  Set("n1", {}, 0);
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"web:1"}))) << "n2 has it";
  Set("n2", {"db:1"}, 500);
  EXPECT_FALSE(facts_.KnowsImagesOf(PodOf({"web:1"})));
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"db:1"})));
  given_.cluster.RemoveNode("n2");
  facts_.Update(given_.cluster);
  EXPECT_FALSE(facts_.KnowsImagesOf(PodOf({"db:1"})));
}

TEST_F(NodeFactsTest, AnImageWithoutATagIsTheLatest) {
  Set("n1", {"web:latest", "registry:5000/web:latest"}, 500);
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"web"})));
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"registry:5000/web"}))) << "a port is no tag";
  EXPECT_FALSE(facts_.KnowsImagesOf(PodOf({"web:1"})));
}

TEST_F(NodeFactsTest, ANodeThatListsAnImageTwiceTakesItFromNobodyElse) {
  Set("n1", {"web:1", "web:1"}, 500);
  Set("n2", {"web:1"}, 500);
  Set("n1", {}, 0);
  EXPECT_TRUE(facts_.KnowsImagesOf(PodOf({"web:1"}))) << "n2 has it";
}

TEST_F(NodeFactsTest, ANodeWithAnImageScoresByItsSizeAndHowWidespreadItIs) {
  Set("n1", {"web:1"}, 1000);
  Set("n2", {}, 0);
  EXPECT_EQ(Score(PodOf({"web:1"}), "n2"), 0);
  EXPECT_EQ(Score(PodOf({"web:1"}), "n1"), 48) << "half of the nodes have it: 500 MiB";
  Set("n2", {"web:1"}, 1000);
  EXPECT_EQ(Score(PodOf({"web:1"}), "n1"), 100);
  EXPECT_EQ(Score(PodOf({"web:1"}), "n2"), 100);
  EXPECT_EQ(Score(PodOf({"web:1", "other:1"}), "n1"), 49) << "of two containers it is one's";
  Set("n2", {}, 0);
  EXPECT_EQ(Score(PodOf({"web:1"}), "n2"), 0) << "it has it no more";
  EXPECT_EQ(Score(PodOf({"web:1"}), "n1"), 48);
}

TEST_F(NodeFactsTest, ASmallImageIsNoReasonToGoAnywhere) {
  Set("n1", {"tiny:1"}, 23);
  EXPECT_EQ(Score(PodOf({"tiny:1"}), "n1"), 0);
  Set("n1", {"tiny:1"}, 33);
  EXPECT_EQ(Score(PodOf({"tiny:1"}), "n1"), 1);
}

TEST_F(NodeFactsTest, NodesThatPodsHadRatherAvoidAreListed) {
  EXPECT_FALSE(facts_.any_soft_taint());
  Set("n1", {}, 0);
  Set("n2", {}, 0, /*soft_taint=*/true);
  EXPECT_THAT(facts_.soft_tainted(), ElementsAre(given_.node("n2").id.value));
  Set("n1", {}, 0, /*soft_taint=*/true);
  EXPECT_EQ(facts_.soft_tainted().size(), 2u);
  Set("n2", {}, 0);
  EXPECT_THAT(facts_.soft_tainted(), ElementsAre(given_.node("n1").id.value));
  Set("n1", {}, 0);
  EXPECT_THAT(facts_.soft_tainted(), IsEmpty());
  EXPECT_FALSE(facts_.any_soft_taint());
}

}  // namespace
}  // namespace basalt::scheduler::plugins
