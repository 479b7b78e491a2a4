#pragma once

#include "scheduler/framework/plugin.h"

namespace basalt::scheduler::plugins {

// Also for programs other than the scheduler that judge places by its rules.
std::unique_ptr<Plugin> MakePredicates();

}  // namespace basalt::scheduler::plugins
