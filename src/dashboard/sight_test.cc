#include "dashboard/sight.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

std::string Hidden(const Sight& sight, std::string_view text) {
  json::value value = json::parse(text);
  Hide(sight, value);
  return json::serialize(value);
}

TEST(SightTest, RowsOfOtherNamespacesAreNotThere) {
  const Sight sight{.person = "ann", .namespaces = {"a"}};
  EXPECT_EQ(Hidden(sight, R"({"pods":[{"namespace":"a","name":"x"},{"namespace":"b","name":"y"}],)"
                          R"("nodes":[{"name":"n1"}]})"),
            R"({"pods":[{"namespace":"a","name":"x"}],"nodes":[{"name":"n1"}]})");
  EXPECT_EQ(Hidden({.everything = true}, R"([{"namespace":"b"}])"), R"([{"namespace":"b"}])");
}

TEST(SightTest, NamesOfOthersObjectsAreTakenOutOfTexts) {
  const Sight sight{.person = "ann", .namespaces = {"a"}};
  EXPECT_EQ(Hidden(sight, R"({"change":"finish or evict pods a/x, secret/y; and z"})"),
            R"({"change":"finish or evict pods a/x, (of another namespace); and z"})");
  EXPECT_EQ(Hidden(sight, R"(["0/3 nodes are available: 3 Insufficient nvidia.com/gpu"])"),
            R"(["0/3 nodes are available: 3 Insufficient nvidia.com/gpu"])");
}

TEST(SightTest, WhoGainedIsHiddenToo) {
  const Sight sight{.person = "ann", .namespaces = {"a"}};
  EXPECT_EQ(
      Hidden(sight, R"([{"namespace":"a","name":"x","forNamespace":"b","forName":"y"}])"),
      R"x([{"namespace":"a","name":"x","forNamespace":"","forName":"(of another namespace)"}])x");
}

}  // namespace
}  // namespace basalt::dashboard
