#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

// What `basalt reservation create` sends. Pure: an object of the cluster, or of a file, and flags.
namespace basalt::cli {

struct ReservationFlags {
  std::string name;
  std::string ns;
  std::optional<std::int32_t> replicas;
  std::string queue;
  std::string ttl;
  std::string expires;
  std::vector<std::string> owners;  // KEY=VALUE
  std::vector<std::string> nodes;
  bool required = false;
};

// Where the object came from: of one that runs in the cluster its controller is known, and it has
// what the API server, the scheduler and the node have added to it.
enum class ReservedFor { kClusterObject, kFile };

// A Reservation of room for the pods of `object`: a Pod, a workload with a template for pods, or a
// Reservation, which is taken as it is. An error says what to do about it.
Result<boost::json::object> ReservationBody(const boost::json::object& object, ReservedFor from,
                                            const ReservationFlags& flags);

}  // namespace basalt::cli
