#include "kube/client/page_limits.h"

#include <algorithm>

namespace basalt::kube {
namespace {

// In place of "all".
constexpr int kLargestPage = 500;
// A page below this may well be doubled: it is far from what a response may have.
constexpr std::size_t kSmallPage = 4 << 20;

}  // namespace

int PageLimits::Of(const std::string& path, int asked) const {
  const auto found = smaller_.find(path);
  if (found == smaller_.end()) return asked;
  return asked == 0 ? found->second : std::min(asked, found->second);
}

int PageLimits::Shrink(const std::string& path, int limit) {
  if (limit == 1) return 0;
  const int smaller = limit == 0 ? kLargestPage : limit / 2;
  smaller_[path] = smaller;
  return smaller;
}

int PageLimits::Fitted(const std::string& path, int limit, int asked, std::size_t bytes) {
  const auto found = smaller_.find(path);
  if (found == smaller_.end() || bytes >= kSmallPage) return limit;
  const int most = asked == 0 ? kLargestPage : asked;
  if (limit * 2 < most) return found->second = limit * 2;
  smaller_.erase(found);
  return most;
}

}  // namespace basalt::kube
