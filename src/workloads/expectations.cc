#include "workloads/expectations.h"

#include <algorithm>

namespace basalt::workloads {
namespace {

std::string Key(std::string_view sign, std::string_view what) {
  return std::string(sign) + std::string(what);
}

}  // namespace

void Expectations::Add(const std::string& owner, std::string_view sign, std::string_view what,
                       Duration now) {
  owners_[owner][Key(sign, what)] = now + lapse_;
}

void Expectations::Remove(const std::string& owner, std::string_view sign, std::string_view what) {
  const auto found = owners_.find(owner);
  if (found == owners_.end()) return;
  found->second.erase(Key(sign, what));
  if (found->second.empty()) owners_.erase(found);
}

bool Expectations::IsCreating(const std::string& owner, std::string_view name) const {
  const auto found = owners_.find(owner);
  return found != owners_.end() && found->second.contains(Key("+", name));
}

bool Expectations::Met(const std::string& owner, Duration now) {
  const auto found = owners_.find(owner);
  if (found == owners_.end()) return true;
  boost::unordered::erase_if(found->second, [&](const auto& entry) { return entry.second <= now; });
  if (!found->second.empty()) return false;
  owners_.erase(found);
  return true;
}

Duration Expectations::LapsesIn(const std::string& owner, Duration now) const {
  Duration last{0};
  if (const auto found = owners_.find(owner); found != owners_.end()) {
    for (const auto& [what, until] : found->second) last = std::max(last, until - now);
  }
  return last;
}

}  // namespace basalt::workloads
