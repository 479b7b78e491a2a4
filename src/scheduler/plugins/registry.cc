#include "scheduler/plugins/registry.h"

#include "scheduler/plugins/binpack/binpack.h"
#include "scheduler/plugins/capacity/capacity.h"
#include "scheduler/plugins/cdp/cdp.h"
#include "scheduler/plugins/conformance/conformance.h"
#include "scheduler/plugins/drf/drf.h"
#include "scheduler/plugins/gang/gang.h"
#include "scheduler/plugins/nodegroup/nodegroup.h"
#include "scheduler/plugins/nodeorder/nodeorder.h"
#include "scheduler/plugins/overcommit/overcommit.h"
#include "scheduler/plugins/pdb/pdb.h"
#include "scheduler/plugins/predicates/predicates.h"
#include "scheduler/plugins/priority/priority.h"
#include "scheduler/plugins/proportion/proportion.h"
#include "scheduler/plugins/reservation/reservation.h"
#include "scheduler/plugins/resourcequota/resourcequota.h"
#include "scheduler/plugins/sla/sla.h"
#include "scheduler/plugins/tdm/tdm.h"

namespace basalt::scheduler {

const PluginRegistry& BuiltinPlugins() {
  // One line per plugin, by name.
  static const PluginRegistry kRegistry{{
      {std::string(plugins::Binpack::kName), plugins::Binpack::Make},
      {std::string(plugins::Capacity::kName), plugins::Capacity::Make},
      {std::string(plugins::Cdp::kName), plugins::Cdp::Make},
      {std::string(plugins::Conformance::kName), plugins::Conformance::Make},
      {std::string(plugins::Drf::kName), plugins::Drf::Make},
      {std::string(plugins::Gang::kName), plugins::Gang::Make},
      {std::string(plugins::NodeGroup::kName), plugins::NodeGroup::Make},
      {std::string(plugins::NodeOrder::kName), plugins::NodeOrder::Make},
      {std::string(plugins::Overcommit::kName), plugins::Overcommit::Make},
      {std::string(plugins::Pdb::kName), plugins::Pdb::Make},
      {std::string(plugins::Predicates::kName), plugins::Predicates::Make},
      {std::string(plugins::Priority::kName), plugins::Priority::Make},
      {std::string(plugins::Proportion::kName), plugins::Proportion::Make},
      {std::string(plugins::Reservation::kName), plugins::Reservation::Make},
      {std::string(plugins::ResourceQuota::kName), plugins::ResourceQuota::Make},
      {std::string(plugins::Sla::kName), plugins::Sla::Make},
      {std::string(plugins::Tdm::kName), plugins::Tdm::Make},
  }};
  return kRegistry;
}

}  // namespace basalt::scheduler
