#include "dashboard/history.h"

#include <boost/json/array.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/json_fields.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

// Reasons are what people write into objects, too: only so many lines are kept apart.
constexpr std::size_t kMostReasons = 20;

double NumberIn(const json::value& value) {
  return value.is_number() ? value.to_number<double>() : 0;
}

json::object PartAllocated(const json::object& overview) {
  const json::array& resources = kube::ArrayAt(&overview, "resources");
  std::vector<double> all(resources.size()), used(resources.size());
  for (const json::value& node : kube::ArrayAt(&overview, "nodes")) {
    const json::array& has = kube::ArrayAt(node.if_object(), "allocatable");
    const json::array& uses = kube::ArrayAt(node.if_object(), "used");
    for (std::size_t i = 0; i < all.size() && i < has.size() && i < uses.size(); ++i) {
      all[i] += NumberIn(has[i]);
      used[i] += NumberIn(uses[i]);
    }
  }
  json::object out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (resources[i].is_string()) out[resources[i].as_string()] = all[i] > 0 ? used[i] / all[i] : 0;
  }
  return out;
}

}  // namespace

void History::Add(Time now, const json::object& overview) {
  if (!points_.empty() && now - points_.back().at < kStep) return;
  Point point{.at = now, .allocated = PartAllocated(overview), .waiting = {}};
  if (const json::object* waiting = kube::ObjectAt(overview, {"waitingByReason"})) {
    for (const auto& [reason, count] : *waiting) {
      if (point.waiting.size() < kMostReasons) point.waiting[reason] = count;
    }
  }
  if (const json::value* took = overview.if_contains("cycleMilliseconds")) {
    point.cycle_ms = NumberIn(*took);
  }
  points_.push_back(std::move(point));
  if (points_.size() > kMost) points_.pop_front();
}

json::object History::ToJson() const {
  json::array times, cycles;
  std::set<std::string> resources, reasons;
  for (const Point& point : points_) {
    times.emplace_back(point.at.time_since_epoch() / 1s);
    cycles.emplace_back(point.cycle_ms);
    for (const auto& [name, part] : point.allocated) resources.emplace(name);
    for (const auto& [reason, count] : point.waiting) {
      if (reasons.size() < kMostReasons) reasons.emplace(reason);
    }
  }
  const auto lines = [&](const std::set<std::string>& names, auto member) {
    json::object out;
    for (const std::string& name : names) {
      json::array line;
      for (const Point& point : points_) {
        const json::value* value = (point.*member).if_contains(name);
        line.push_back(value ? *value : json::value(0));
      }
      out[name] = std::move(line);
    }
    return out;
  };
  return {{"times", std::move(times)},
          {"allocated", lines(resources, &Point::allocated)},
          {"waiting", lines(reasons, &Point::waiting)},
          {"cycleMilliseconds", std::move(cycles)}};
}

}  // namespace basalt::dashboard
