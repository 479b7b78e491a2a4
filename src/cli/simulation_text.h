#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace basalt::cli {

// The answer of a simulation, for people.
std::string SimulationText(const boost::json::object& answer);

}  // namespace basalt::cli
