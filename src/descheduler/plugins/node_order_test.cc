#include "descheduler/plugins/node_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace basalt::descheduler {
namespace {

TEST(NodeOrderTest, StaysInOrderWhateverChanges) {
  Random random(7);
  NodeOrder order;
  std::vector<NodeOrder::Entry> entries;
  for (std::uint32_t i = 0; i < 50; ++i) {
    entries.push_back(
        {.percent = static_cast<double>(random.Below(10)), .place = i, .node = model::NodeId{i}});
    order.Add(entries.back());
  }
  order.Sort();
  for (int step = 0; step < 2000; ++step) {
    NodeOrder::Entry& entry = entries[random.Below(entries.size())];
    NodeOrder::Entry after = entry;
    after.percent = static_cast<double>(random.Below(10));
    order.Change(entry, after);
    entry = after;
    if (step % 100 == 0) {
      order.Remove(entry);
      entries.erase(entries.begin() + (&entry - entries.data()));
    }
    ASSERT_TRUE(std::ranges::is_sorted(order.entries(), std::less<>()));
    ASSERT_EQ(order.entries().size(), entries.size());
  }
}

}  // namespace
}  // namespace basalt::descheduler
