#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/config/config.h"
#include "scheduler/framework/explanations.h"
#include "scheduler/framework/hooks.h"
#include "scheduler/framework/plugin.h"

namespace basalt::scheduler {

// The plugins of one configuration, made once, with what they implement found out and sorted by
// tier. Kept from session to session; a new configuration makes a new set.
class PluginSet {
 public:
  // Errors name the plugin and, where the configuration came from a file, the line.
  static Result<std::unique_ptr<PluginSet>> Make(Config config, const PluginRegistry& registry);

  ~PluginSet();
  PluginSet(const PluginSet&) = delete;
  PluginSet& operator=(const PluginSet&) = delete;

  const Config& config() const { return config_; }
  Reasons& reasons() { return reasons_; }
  Explanations& explanations() { return explanations_; }
  template <class Point>
  const Tiered<Point>& hooks() const {
    return hooks_.Get<Point>();
  }
  // The keys of annotations and labels that some plugin reads from pods; sorted.
  const std::vector<std::string>& pod_keys() const { return pod_keys_; }

 private:
  explicit PluginSet(Config config);

  Config config_;
  Reasons reasons_;
  Explanations explanations_;
  std::vector<std::unique_ptr<Plugin>> plugins_;
  Hooks hooks_;
  std::vector<std::string> pod_keys_;
};

}  // namespace basalt::scheduler
