#include "kube/types/string_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using Entry = StringMap::Entry;

TEST(StringMap, IsSortedAndKeepsTheLastOfEqualKeys) {
  const StringMap map = {{"b", "1"}, {"a", "2"}, {"b", "3"}, {"", "4"}};
  EXPECT_THAT(std::vector<Entry>(map.begin(), map.end()),
              ElementsAre(Entry{"", "4"}, Entry{"a", "2"}, Entry{"b", "3"}));
}

TEST(StringMap, FindsWhatIsThereAndNothingElse) {
  const StringMap map = {{"app", "web"}, {"tier", ""}};
  EXPECT_EQ(map.Find("app"), "web");
  EXPECT_EQ(map.Find("tier"), "");
  EXPECT_EQ(map.Find("ap"), std::nullopt);
  EXPECT_EQ(map.Get("x", "fallback"), "fallback");
  EXPECT_FALSE(StringMap().Contains("app"));
  EXPECT_EQ(StringMap().begin(), StringMap().end());
}

TEST(StringMap, CopiesAreIndependent) {
  StringMap map = {{"a", "1"}};
  StringMap copy = map;
  copy.Set("a", "2");
  copy.Set("b", "3");
  EXPECT_EQ(map, (StringMap{{"a", "1"}}));
  EXPECT_EQ(copy, (StringMap{{"a", "2"}, {"b", "3"}}));
  map = copy;
  EXPECT_EQ(map, copy);
}

TEST(StringMap, BehavesAsAMapDoes) {
  Random random(7);
  StringMap map;
  std::map<std::string, std::string> reference;
  for (int step = 0; step < 2000; ++step) {
    const std::string key(random.Below(5), static_cast<char>('a' + random.Below(3)));
    if (random.Chance(0.3)) {
      map.Erase(key);
      reference.erase(key);
    } else {
      const std::string value = std::to_string(step);
      map.Set(key, value);
      reference[key] = value;
    }
    ASSERT_EQ(map.size(), reference.size());
    auto at = reference.begin();
    for (const auto [name, value] : map) {
      ASSERT_EQ(name, at->first);
      ASSERT_EQ(value, (at++)->second);
      ASSERT_EQ(map.Find(name), value);
    }
  }
}

}  // namespace
}  // namespace basalt::kube
