#include "webhook/cycle_check.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace basalt::webhook {

std::string FindCycle(const std::map<std::string, std::vector<std::string>>& needs) {
  enum class Seen : std::uint8_t { kNo, kOnTheWay, kDone };
  std::map<std::string, Seen> seen;
  // The way down, with the next need to follow from each: no recursion, whatever the depth.
  std::vector<std::pair<std::string, std::size_t>> way;
  for (const auto& [start, unused] : needs) {
    if (seen[start] != Seen::kNo) continue;
    way.emplace_back(start, 0);
    seen[start] = Seen::kOnTheWay;
    while (!way.empty()) {
      auto& [name, next] = way.back();
      const auto found = needs.find(name);
      if (found == needs.end() || next == found->second.size()) {
        seen[name] = Seen::kDone;
        way.pop_back();
        continue;
      }
      const std::string& target = found->second[next++];
      Seen& state = seen[target];
      if (state == Seen::kOnTheWay) {
        std::string circle;
        bool inside = false;
        for (const auto& [step, position] : way) {
          inside = inside || step == target;
          if (inside) circle += step + ", ";
        }
        return circle + target;
      }
      if (state == Seen::kNo) {
        state = Seen::kOnTheWay;
        way.emplace_back(target, 0);
      }
    }
  }
  return "";
}

}  // namespace basalt::webhook
