#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <set>
#include <string>

namespace basalt::cli {

// All that is known of a Job when it is asked why it does not run.
struct JobFacts {
  boost::json::object job;
  boost::json::object pod_group;  // empty: there is none
  // Empty: there is none. Nothing: that is not known, for want of rights to read it.
  std::optional<boost::json::object> queue;
  boost::json::array pods;
  std::optional<std::set<std::string>> claims;  // of its namespace; nothing: not known
  boost::json::object scheduler_says;           // of its PodGroup; empty: it was not asked
};

// The queue that a Job names, or the one that it is in without a name.
std::string QueueOf(const boost::json::object& job);

// The explanation in the words of the scheduler's: stage, reason, message, change. Pure.
boost::json::object ExplainJob(const JobFacts& facts);

}  // namespace basalt::cli
