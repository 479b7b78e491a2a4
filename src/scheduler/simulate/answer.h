#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scheduler/explain/explainer.h"
#include "scheduler/simulate/changes.h"
#include "scheduler/simulate/pretend_cluster.h"

namespace basalt::scheduler::simulate {

// What came of a simulation, beside what was before it: made before anything is changed, asked for
// the answer when all is played. Lives for one simulation, on its thread. Keys: docs/simulate.md.
class Answer {
 public:
  Answer(const SchedulerImage& image, PretendCluster& cluster);

  boost::json::object Make(const Submitted& submitted, bool played_on, bool quiet);

 private:
  using Queues = std::map<std::string, boost::json::object, std::less<>>;
  Queues ListQueues() const;
  boost::json::array ChangedQueues();
  boost::json::object RowOf(const std::string& key, explain::Explainer& explainer);
  void SayWhyItWaits(const model::Task& task, explain::Explainer& explainer,
                     boost::json::object& row);
  boost::json::object ReservationRow(const std::string& key) const;
  boost::json::array Promises(explain::Explainer& explainer) const;
  void SayAutoscalers(explain::Explainer& explainer, boost::json::object& out);

  PretendCluster& cluster_;
  boost::json::object version_;
  Time began_;
  Queues queues_before_;
  boost::json::value fragmentation_before_;
  std::vector<std::string> waited_before_;  // "ns/name"
  std::set<std::string> evicted_;           // "ns/name"
  std::set<std::string> explained_;         // jobs whose change was looked for
  std::map<std::string, boost::json::object, std::less<>> sights_;  // by "ns/name"
};

}  // namespace basalt::scheduler::simulate
