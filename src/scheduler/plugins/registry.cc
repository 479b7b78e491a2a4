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
      {"binpack", Configured(plugins::MakeBinpack)},
      {"capacity", Configured(plugins::MakeCapacity)},
      {"cdp", Configured(plugins::MakeCdp)},
      {"conformance", Configured(plugins::MakeConformance)},
      {"drf", Configured(plugins::MakeDrf)},
      {"gang", Configured(plugins::MakeGang)},
      {"nodegroup", Configured(plugins::MakeNodeGroup)},
      {"nodeorder", Configured(plugins::MakeNodeOrder)},
      {"overcommit", Configured(plugins::MakeOvercommit)},
      {"pdb", Configured(plugins::MakePdb)},
      {"predicates", Configured(plugins::MakePredicates)},
      {"priority", Configured(plugins::MakePriority)},
      {"proportion", Configured(plugins::MakeProportion)},
      {"reservation", Configured(plugins::MakeReservation)},
      {"resourcequota", Configured(plugins::MakeResourceQuota)},
      {"sla", Configured(plugins::MakeSla)},
      {"tdm", Configured(plugins::MakeTdm)},
  }};
  return kRegistry;
}

}  // namespace basalt::scheduler
