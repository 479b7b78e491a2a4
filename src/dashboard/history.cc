#include "dashboard/history.h"

#include <boost/json/array.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/largest_counts.h"
#include "kube/types/json_fields.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

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

json::object Largest(const json::object& counts, std::size_t most) {
  std::vector<std::pair<std::string_view, double>> all;
  for (const auto& [name, count] : counts) all.emplace_back(name, NumberIn(count));
  json::object out;
  for (const auto& [name, count] : LargestCounts(std::move(all), most)) out[name] = count;
  return out;
}

}  // namespace

void History::Add(Time now, const json::object& overview) {
  if (!points_.empty() && now - points_.back().at < kStep) return;
  Point point{.at = now, .allocated = PartAllocated(overview), .waiting = {}};
  if (const json::object* waiting = kube::ObjectAt(overview, {"waitingByReason"})) {
    point.waiting = Largest(*waiting, kMostReasons);
  }
  if (const json::value* took = overview.if_contains("cycleMilliseconds")) {
    point.cycle_ms = NumberIn(*took);
  }
  points_.push_back(std::move(point));
  if (points_.size() > kMost) points_.pop_front();
}

json::object History::ToJson() const {
  json::array times, cycles;
  json::object resources, all_waiting;  // of all points
  for (const Point& point : points_) {
    times.emplace_back(point.at.time_since_epoch() / 1s);
    cycles.emplace_back(point.cycle_ms);
    for (const auto& [name, part] : point.allocated) resources[name] = part;
    for (const auto& [reason, count] : point.waiting) {
      json::value& sum = all_waiting[reason];
      sum = NumberIn(sum) + NumberIn(count);
    }
  }
  const auto lines = [&](const json::object& names, auto member) {
    json::object out;
    for (const auto& [name, sum] : names) {
      json::array& line = out[name].emplace_array();
      for (const Point& point : points_) {
        const json::value* value = (point.*member).if_contains(name);
        line.push_back(value ? *value : json::value(0));
      }
    }
    return out;
  };
  const json::object reasons = Largest(all_waiting, kMostReasons);
  json::object waiting = lines(reasons, &Point::waiting);
  if (json::value* others = waiting.if_contains(kOtherNames)) {
    // With what has a line in a point but none of its own here.
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (const auto& [reason, count] : points_[i].waiting) {
        if (reasons.contains(reason)) continue;
        json::value& sum = others->as_array()[i];
        sum = NumberIn(sum) + NumberIn(count);
      }
    }
  }
  return {{"times", std::move(times)},
          {"allocated", lines(resources, &Point::allocated)},
          {"waiting", std::move(waiting)},
          {"cycleMilliseconds", std::move(cycles)}};
}

}  // namespace basalt::dashboard
