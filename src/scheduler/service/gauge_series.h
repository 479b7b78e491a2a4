#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/metrics.h"

namespace basalt::scheduler {

// Gauges of one name, one for each thing that exists now: a queue, a job. Set them all, then Sweep:
// the gauges of what is gone go.
class GaugeSeries {
 public:
  GaugeSeries(metrics::Registry& registry, std::string name, std::string help)
      : registry_(registry), name_(std::move(name)), help_(std::move(help)) {}

  void Set(const metrics::Labels& labels, double value) {
    auto it = known_.find(labels);
    if (it == known_.end()) {
      it = known_.emplace(labels, Known{registry_.GetGauge(name_, help_, labels), 0}).first;
    }
    it->second.gauge.Set(value);
    it->second.round = round_;
  }
  void Sweep() {
    for (auto it = known_.begin(); it != known_.end();) {
      if (it->second.round == round_) {
        ++it;
      } else {
        registry_.RemoveGauge(name_, it->first);
        it = known_.erase(it);
      }
    }
    ++round_;
  }

 private:
  struct Known {
    metrics::Gauge gauge;
    std::uint64_t round;
  };

  metrics::Registry& registry_;
  std::string name_;
  std::string help_;
  std::map<metrics::Labels, Known> known_;
  std::uint64_t round_ = 1;
};

}  // namespace basalt::scheduler
