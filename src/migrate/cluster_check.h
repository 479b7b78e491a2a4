#pragma once

#include <boost/json/array.hpp>
#include <string>
#include <vector>

#include "migrate/finding.h"

// What a cluster that Volcano works on holds and what becomes of it, from lists of objects as the
// API server gives them. What is not as it should be is passed over.
namespace basalt::migrate {

// Volcano's kinds: those that Basalt does nothing with, those of Basalt's own that are not there.
// `objects`: of each kind that is not Basalt's, by "plural.group", how many there are.
struct KindCount {
  std::string name;
  std::size_t objects = 0;
};
Findings CheckKinds(const std::vector<std::string>& crds, const std::vector<KindCount>& objects);
// The kinds of Volcano that no controller of Basalt works on, by "plural.group".
const std::vector<std::string>& KindsLeftAlone();

// Webhooks of Volcano's that stay when its webhook goes: the API server would go on calling it.
Findings CheckWebhooks(const boost::json::array& mutating, const boost::json::array& validating);

// Pods of these schedulers that are under way, and those that Basalt does not place.
Findings CheckPods(const boost::json::array& pods, const std::vector<std::string>& scheduler_names);

// Groups that Basalt lets wait.
Findings CheckGroups(const boost::json::array& groups);

// Volcano's Deployments and DaemonSets: arguments that have no effect, parts that stay.
Findings CheckWorkloads(const boost::json::array& deployments,
                        const boost::json::array& daemon_sets);

}  // namespace basalt::migrate
