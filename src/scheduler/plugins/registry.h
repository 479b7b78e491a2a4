#pragma once

#include "scheduler/framework/plugin.h"

namespace basalt::scheduler {

// Every plugin of Basalt.
const PluginRegistry& BuiltinPlugins();

}  // namespace basalt::scheduler
