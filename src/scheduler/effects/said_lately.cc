#include "scheduler/effects/said_lately.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>

namespace basalt::scheduler {
namespace {

std::size_t HashOf(std::string_view text) { return boost::hash_range(text.begin(), text.end()); }

}  // namespace

bool SaidLately::MaySay(const std::string& uid, std::string_view headline, std::string_view text) {
  const Duration now = clock_.Monotonic();
  if (said_.size() >= sweep_at_) Sweep(now);
  const Entry wanted{.headline = HashOf(headline), .text = HashOf(text), .at = now};
  const auto [it, added] = said_.try_emplace(uid, wanted);
  if (added) return true;
  Entry& last = it->second;
  const Duration age = now - last.at;
  const Duration silence = last.text == wanted.text ? same_ : reworded_;
  if (last.headline == wanted.headline && age < silence) return false;
  last = wanted;
  return true;
}

void SaidLately::Sweep(Duration now) {
  const Duration keep = std::max(same_, reworded_);
  erase_if(said_, [&](const auto& entry) { return now - entry.second.at >= keep; });
  sweep_at_ = std::max<std::size_t>(1024, said_.size() * 2);
}

}  // namespace basalt::scheduler
