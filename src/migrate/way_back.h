#pragma once

#include <boost/json/array.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "migrate/finding.h"

// What has to be dealt with when Volcano takes Basalt's place again, from lists of objects as the
// API server gives them.
namespace basalt::migrate {

struct WayBack {
  boost::json::array pods;
  std::vector<std::string> scheduler_names;
  std::string gate;  // the name of the gate that waits for a queue
  boost::json::array mutating;
  boost::json::array validating;
  bool groups_have_status = false;  // PodGroups have a status subresource
  std::size_t reservations = 0;
};
Findings CheckWayBack(const WayBack& found);

}  // namespace basalt::migrate
