#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a Job's specification says where it says nothing (contract C12.11). One place for the
// mutation that writes it and for the rules, which hold for what a job will be.
namespace basalt::webhook {

inline constexpr std::int64_t kDefaultMaxRetry = 3;

// The names that v1.15's and our plugins have.
bool IsJobPlugin(std::string_view name);

// A field to add, by its RFC 6901 pointer below the specification: "/tasks/0/name".
struct JobDefault {
  std::string path;
  boost::json::value value;
};

// What is missing in the specification, in an order in which it can be added. `queue` and
// `scheduler` are what it gets where it names none.
std::vector<JobDefault> MissingInJob(const boost::json::object& spec, std::string_view queue,
                                     std::string_view scheduler);

// The specification with all that is missing.
boost::json::object WithJobDefaults(const boost::json::object& spec, std::string_view queue,
                                    std::string_view scheduler);

}  // namespace basalt::webhook
