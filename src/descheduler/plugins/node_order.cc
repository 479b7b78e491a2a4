#include "descheduler/plugins/node_order.h"

#include <algorithm>

#include "base/check.h"

namespace basalt::descheduler {

void NodeOrder::Sort() { std::ranges::sort(entries_, std::less<>()); }

std::vector<NodeOrder::Entry>::iterator NodeOrder::Find(const Entry& entry) {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), entry);
  BASALT_CHECK(it != entries_.end() && it->node == entry.node);
  return it;
}

void NodeOrder::Change(const Entry& before, const Entry& after) {
  const auto from = Find(before);
  *from = after;
  const auto to = after < before ? std::lower_bound(entries_.begin(), from, after)
                                 : std::lower_bound(from + 1, entries_.end(), after);
  if (to <= from) {
    std::rotate(to, from, from + 1);
  } else {
    std::rotate(from, from + 1, to);
  }
}

void NodeOrder::Remove(const Entry& entry) { entries_.erase(Find(entry)); }

}  // namespace basalt::descheduler
