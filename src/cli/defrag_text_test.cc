#include "cli/defrag_text.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace basalt::cli {
namespace {

boost::json::object ParsedPlan(std::string_view text) {
  return boost::json::parse(text).as_object();
}

constexpr std::string_view kPlan = R"({
  "id": "p", "state": "Failed", "resourceType": "cpu",
  "nodes": [{"name": "n1", "role": "source", "before": {"cpu": 25.0}, "after": {"cpu": 0.0}},
            {"name": "n2", "role": "target", "before": {"cpu": 62.5}, "after": {"cpu": 87.5}}],
  "moves": [{"namespace": "a", "pod": "web-x", "from": "n1", "to": "n2",
             "request": {"cpu": "1", "memory": "1Gi"}, "state": "Succeeded", "reason": ""},
            {"namespace": "a", "pod": "web-y", "from": "n1", "to": "n2", "request": {"cpu": "1"},
             "state": "Failed", "reason": "EvictionRefused", "message": "the budget forbids it"}],
  "blocked": [{"node": "n3", "namespace": "a", "pod": "db-0", "reason": "NoTarget",
               "nodes": [{"reason": "Taints", "count": 2}]},
              {"node": "n4", "reason": "Critical", "nodes": []}],
  "freed": {"nodes": ["n1"], "resources": {"cpu": "4"}}})";

TEST(DefragTextTest, ShowsMovesNodesAndWhatBlocks) {
  EXPECT_EQ(DefragText(ParsedPlan(kPlan), false),
            "plan p: Failed\n"
            "frees 1 node: cpu 4\n"
            "\n"
            "NAMESPACE   POD     FROM   TO   REQUEST            STATE       REASON\n"
            "a           web-x   n1     n2   cpu=1,memory=1Gi   Succeeded\n"
            "a           web-y   n1     n2   cpu=1              Failed      EvictionRefused\n"
            "\n"
            "NODE   ROLE     BEFORE   AFTER\n"
            "n1     source   25.0%    0.0%\n"
            "n2     target   62.5%    87.5%\n"
            "\n"
            "NODE   POD      REASON\n"
            "n3     a/db-0   NoTarget (Taints 2)\n"
            "n4              Critical\n"
            "\n"
            "a/web-y: the budget forbids it\n");
}

TEST(DefragTextTest, APlanWithoutMovesSaysSo) {
  EXPECT_EQ(DefragText(ParsedPlan(R"({"id": "p", "state": "Planned", "moves": []})"), false),
            "plan p: Planned (nothing is done)\nno moves\n");
  EXPECT_EQ(DefragText({}, false), "plan : \nno moves\n");
}

TEST(DefragTextTest, ProgressCountsWhatHasEnded) {
  EXPECT_EQ(DefragProgress(ParsedPlan(kPlan)), "████████████████████ 2 of 2 moves, 1 failed");
  EXPECT_EQ(DefragProgress({}), "···················· 0 of 0 moves");
}

}  // namespace
}  // namespace basalt::cli
