#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/loop.h"

namespace basalt::scheduler {

// What was written about which object lately. The state learns of a write when the watch brings it
// back, and texts hold figures that change with every pod that comes or goes: ten thousand waiting
// pods must not be written in every cycle for either. A caller that wants to say something asks
// again in the next cycle, so that nothing is lost by a no. Loop thread only.
class SaidLately {
 public:
  // The same again only after `same`: it may have got lost. Other words for the same `headline`
  // only after `reworded`.
  SaidLately(const Clock& clock, Duration same, Duration reworded)
      : clock_(clock), same_(same), reworded_(reworded) {}

  // Whether it may be said now; remembers that it is.
  bool MaySay(const std::string& uid, std::string_view headline, std::string_view text);
  // What comes next is news.
  void Forget(const std::string& uid) { said_.erase(uid); }
  std::size_t size() const { return said_.size(); }

 private:
  struct Entry {
    std::size_t headline = 0;
    std::size_t text = 0;
    Duration at{0};
  };
  void Sweep(Duration now);

  const Clock& clock_;
  const Duration same_, reworded_;
  boost::unordered_flat_map<std::string, Entry> said_;
  std::size_t sweep_at_ = 1024;
};

}  // namespace basalt::scheduler
