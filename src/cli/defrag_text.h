#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace basalt::cli {

// A plan of the descheduler (as its HTTP API shows it) for people: tables of moves, of nodes and of
// what blocks. `bars`: a bar beside each per cent, for terminals. What is not there or is something
// else is as good as empty.
std::string DefragText(const boost::json::object& plan, bool bars);

// One line on how far it is.
std::string DefragProgress(const boost::json::object& plan);

}  // namespace basalt::cli
