#include "scheduler/plugins/registry.h"

#include "scheduler/plugins/gang/gang.h"
#include "scheduler/plugins/priority/priority.h"

namespace basalt::scheduler {

const PluginRegistry& BuiltinPlugins() {
  // One line per plugin, by name.
  static const PluginRegistry kRegistry{{
      {std::string(plugins::Gang::kName), plugins::Gang::Make},
      {std::string(plugins::Priority::kName), plugins::Priority::Make},
  }};
  return kRegistry;
}

}  // namespace basalt::scheduler
