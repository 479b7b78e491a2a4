#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::cli {

// The flags of `job run`.
struct JobRunFlags {
  std::string name;
  std::string ns;
  std::string image = "busybox";
  std::int32_t min_available = 1;
  std::int32_t replicas = 1;
  std::string requests;
  std::string limits;
  std::string scheduler = "volcano";
};

// A Job of one task whose pods run the image once.
Result<boost::json::object> JobBody(const JobRunFlags& flags);

// "cpu=1000m,memory=100Mi" as a map. `flag` stands in the error.
Result<boost::json::object> ParseAmounts(std::string_view text, std::string_view flag);

// A Command that asks the controller of `target` (a whole object) for an action.
boost::json::object CommandBody(const boost::json::object& target, std::string_view ns,
                                std::string_view action);

}  // namespace basalt::cli
