#include "cli/amounts_text.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <cmath>
#include <limits>

namespace basalt::cli {
namespace {

TEST(AmountsTextTest, IsInTheOrderOfTheServerAndADashWhereThereIsNothing) {
  const auto amounts =
      boost::json::parse(R"({"memory":"8Gi","cpu":"4","pods":10,"none":null})").as_object();
  EXPECT_EQ(AmountsText(&amounts), "memory 8Gi, cpu 4, pods 10, none ");
  EXPECT_EQ(AmountsText(nullptr), "-");
  const boost::json::object empty;
  EXPECT_EQ(AmountsText(&empty), "-");
}

TEST(ValueTextTest, IsTextAsItIsAndElseJson) {
  const auto object =
      boost::json::parse(R"({"t":"a b","n":0.5,"l":[1,"x"],"b":true,"z":null})").as_object();
  EXPECT_EQ(ValueText(object, "t"), "a b");
  EXPECT_EQ(ValueText(object, "n"), "0.5");
  EXPECT_EQ(ValueText(object, "l"), R"([1,"x"])");
  EXPECT_EQ(ValueText(object, "b"), "true");
  EXPECT_EQ(ValueText(object, "z"), "");
  EXPECT_EQ(ValueText(object, "missing"), "");
}

TEST(BarTest, HasAsManyPlacesAsItShouldWhateverItIsTold) {
  struct Row {
    double part;
    const char* want;
  };
  for (const Row& row : {Row{0, "····"}, Row{0.5, "██··"}, Row{0.625, "██▌·"}, Row{1, "████"},
                         Row{2.5, "████"}, Row{-1, "····"}, Row{std::nan(""), "····"},
                         Row{std::numeric_limits<double>::infinity(), "····"}, Row{0.05, "▎···"},
                         Row{0.01, "····"}, Row{0.999, "████"}}) {
    EXPECT_EQ(Bar(row.part, 4), row.want) << row.part;
  }
  EXPECT_EQ(Bar(0.3), "███·······") << "ten places unless told";
}

}  // namespace
}  // namespace basalt::cli
