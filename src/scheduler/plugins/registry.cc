#include "scheduler/plugins/registry.h"

namespace basalt::scheduler {

// Each in the file of its plugin.
namespace plugins {
using Maker = std::unique_ptr<Plugin>();
Maker MakeBinpack, MakeCapacity, MakeCdp, MakeConformance, MakeDrf, MakeGang, MakeNodeGroup,
    MakeNodeOrder, MakeOvercommit, MakePdb, MakePredicates, MakePriority, MakeProportion,
    MakeReservation, MakeResourceQuota, MakeSla, MakeTdm;
}  // namespace plugins

const PluginRegistry& BuiltinPlugins() {
  // One line per plugin, by name.
  static const PluginRegistry kRegistry{{
      {"binpack", plugins::MakeBinpack},
      {"capacity", plugins::MakeCapacity},
      {"cdp", plugins::MakeCdp},
      {"conformance", plugins::MakeConformance},
      {"drf", plugins::MakeDrf},
      {"gang", plugins::MakeGang},
      {"nodegroup", plugins::MakeNodeGroup},
      {"nodeorder", plugins::MakeNodeOrder},
      {"overcommit", plugins::MakeOvercommit},
      {"pdb", plugins::MakePdb},
      {"predicates", plugins::MakePredicates},
      {"priority", plugins::MakePriority},
      {"proportion", plugins::MakeProportion},
      {"reservation", plugins::MakeReservation},
      {"resourcequota", plugins::MakeResourceQuota},
      {"sla", plugins::MakeSla},
      {"tdm", plugins::MakeTdm},
  }};
  return kRegistry;
}

}  // namespace basalt::scheduler
