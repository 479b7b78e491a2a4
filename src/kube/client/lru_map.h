#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <list>
#include <string>
#include <utility>

namespace basalt::kube {

// At most `most` values by name; the one that was not used for the longest time makes room. A
// member of its owner; loop thread only.
template <class Value>
class LruMap {
 public:
  explicit LruMap(std::size_t most) : most_(most) {}

  // Makes the value by `make()` where there is none. The reference lives until the next call.
  template <class Make>
  Value& FindOrMake(const std::string& key, Make&& make) {
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
      values_.splice(values_.begin(), values_, found->second);
      return values_.front().second;
    }
    if (values_.size() >= most_) {
      by_key_.erase(values_.back().first);
      values_.pop_back();
    }
    values_.emplace_front(key, make());
    by_key_.emplace(key, values_.begin());
    return values_.front().second;
  }
  std::size_t size() const { return values_.size(); }

 private:
  using List = std::list<std::pair<std::string, Value>>;
  std::size_t most_;
  List values_;  // the last used first
  boost::unordered_flat_map<std::string, typename List::iterator> by_key_;
};

}  // namespace basalt::kube
