#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/framework/action.h"
#include "scheduler/framework/session.h"
#include "scheduler/state/cluster_state.h"

namespace basalt::conformance {

// One case: the state its objects make, the plugins of its configuration, and sessions on them.
class CaseRun {
 public:
  explicit CaseRun(const boost::json::object& the_case) : case_(the_case) {}

  // What is wrong; empty: the case passes.
  std::vector<std::string> Run();

 private:
  void AddObjects(const boost::json::object& input);
  template <class T>
  void AddAll(const boost::json::object& input, std::string_view key);
  Result<void> MakePlugins(const std::vector<std::string>& actions);
  void RunActions(scheduler::Session& session, const std::vector<std::string>& actions);

  void RunSession();
  void RunCycles();
  void CheckExpectation(scheduler::Session& session);
  void CheckRecorded(scheduler::Session& session);
  // Objects that only the probes know, made before the session is opened.
  void PrepareProbes();
  void CheckProbes(scheduler::Session& session);
  boost::json::value Probe(scheduler::Session& session, const boost::json::object& probe);
  const model::Job* ProbeJob(const boost::json::value& job) const;
  std::vector<const model::Task*> ProbeTasks(const boost::json::value& tasks) const;
  void Complain(std::string complaint) { complaints_.push_back(std::move(complaint)); }

  Time Now() const;

  const boost::json::object& case_;
  scheduler::ClusterState state_{{}};
  std::unique_ptr<scheduler::PluginSet> plugins_;
  std::map<std::string, std::string> binds_;
  std::vector<std::string> evicted_;
  // Hand-made objects of probes: JSON text to "ns/name".
  std::map<std::string, std::string> handmade_;
  std::vector<std::string> complaints_;
};

}  // namespace basalt::conformance
