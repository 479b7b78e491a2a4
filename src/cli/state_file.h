#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/ask_scheduler.h"
#include "scheduler/simulate/request.h"

namespace basalt::cli {

// All objects of the cluster that a scheduler decides by, written to a file as one v1 List that
// only its owner may read: specs of pods may hold what is secret. How many.
Result<std::size_t> RecordState(const AskFlags& flags, const std::string& path);

// What RecordState or `kubectl get -o json` (or yaml) wrote; kinds that no scheduler decides by are
// left out. "-": standard input.
Result<std::vector<scheduler::simulate::Object>> ReadState(const std::string& path);

}  // namespace basalt::cli
