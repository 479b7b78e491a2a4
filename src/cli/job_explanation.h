#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <set>
#include <string>

namespace basalt::cli {

// All that is known of a Job when it is asked why it does not run.
struct JobFacts {
  boost::json::object job;
  boost::json::object pod_group;  // empty: there is none
  boost::json::object queue;      // empty: there is none
  boost::json::array pods;
  std::set<std::string> claims;        // of its namespace
  boost::json::object scheduler_says;  // of its PodGroup; empty: it was not asked
};

// The explanation in the words of the scheduler's: stage, reason, message, change. Pure.
boost::json::object ExplainJob(const JobFacts& facts);

}  // namespace basalt::cli
