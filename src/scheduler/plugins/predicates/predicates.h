#pragma once

#include "scheduler/framework/plugin.h"

namespace basalt::scheduler::plugins {

// Also for programs other than the scheduler that judge places by its rules.
Result<std::unique_ptr<Plugin>> MakePredicates(const PluginContext& context);

}  // namespace basalt::scheduler::plugins
