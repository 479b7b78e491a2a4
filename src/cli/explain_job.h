#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "base/error.h"
#include "cli/ask_scheduler.h"

namespace basalt::cli {

// Reads what is to be known of a Job of batch.volcano.sh, asks the scheduler about its PodGroup
// where one answers, and explains it.
Result<boost::json::object> ExplainJobOf(AskFlags flags, const std::string& name);

}  // namespace basalt::cli
