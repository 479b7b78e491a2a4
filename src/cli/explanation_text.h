#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "cli/object_table.h"

namespace basalt::cli {

// The scheduler's answers, for people.
std::string ExplanationText(const boost::json::object& explanation);
// A line of figures, then a line for each pod.
std::string ScaleText(const boost::json::object& answer);
std::string PodGroupsText(const boost::json::array& groups, const TableForm& form);
std::string QueueText(const boost::json::object& queue);

}  // namespace basalt::cli
