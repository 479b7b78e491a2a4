#include "controllers/hypernode/hypernode_controller.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {
namespace {

namespace resources = kube::resources;

class HyperNodeControllerTest : public testing::Test {
 protected:
  void Add(std::string_view name, std::string_view members) {
    cluster_.Create(testutil::MakeObject(resources::kHyperNodes, name)
                        .Set("spec", boost::json::parse(R"({"tier": 1, "members": [)" +
                                                        std::string(members) + "]}")));
  }
  std::int64_t Count(std::string_view name) {
    cluster_.loop().RunFor(2s);
    const boost::json::value found = cluster_.Get(resources::kHyperNodes, "", name);
    const boost::json::value* count = testutil::FindPath(found, "status.nodeCount");
    return count ? count->to_number<std::int64_t>() : -1;
  }

  testutil::SchedulingCluster cluster_;
  HyperNodeController controller_{cluster_.client()};
};

TEST_F(HyperNodeControllerTest, CountsTheNodesThatItsMembersNameOrMatch) {
  controller_.Start();
  for (const std::string name : {"a-1", "a-2", "b-1"}) {
    cluster_.Create(testutil::MakeNode(name).Label("rack", name.substr(0, 1)));
  }
  Add("exact", R"({"type": "Node", "selector": {"exactMatch": {"name": "a-1"}}},
                  {"type": "Node", "selector": {"exactMatch": {"name": "nobody"}}})");
  Add("regex", R"({"type": "Node", "selector": {"regexMatch": {"pattern": "^a-.*"}}})");
  Add("label", R"({"type": "Node", "selector": {"labelMatch": {"matchLabels": {"rack": "b"}}}})");
  Add("above", R"({"type": "HyperNode", "selector": {"exactMatch": {"name": "exact"}}},
                  {"type": "HyperNode", "selector": {"regexMatch": {"pattern": "^regex$"}}})");
  Add("round", R"({"type": "HyperNode", "selector": {"exactMatch": {"name": "round"}}})");
  EXPECT_EQ(Count("exact"), 1);
  EXPECT_EQ(Count("regex"), 2);
  EXPECT_EQ(Count("label"), 1);
  EXPECT_EQ(Count("above"), 2) << "a-1 is in both";
  EXPECT_LE(Count("round"), 0);
  cluster_.Create(testutil::MakeNode("a-3"));
  EXPECT_EQ(Count("regex"), 3);
  EXPECT_EQ(Count("above"), 3);
  ASSERT_TRUE(cluster_.Delete({resources::kNodes, "", "a-1"}));
  EXPECT_EQ(Count("exact"), 0);
}

}  // namespace
}  // namespace basalt::controllers
