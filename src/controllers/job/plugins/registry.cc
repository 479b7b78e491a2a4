#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "controllers/job/plugins/plugin.h"
#include "controllers/job/plugins/plugin_flags.h"

namespace basalt::controllers {
namespace {

struct PluginEntry {
  std::string_view name;
  std::unique_ptr<JobPlugin> (*make)(PluginFlags&);
};

// In the order in which pods pass through them: those that set RANK before hcclrank, which reads
// it.
constexpr PluginEntry kPlugins[] = {{"env", MakeEnvPlugin},
                                    {"svc", MakeSvcPlugin},
                                    {"ssh", MakeSshPlugin},
                                    {"pytorch", MakePytorchPlugin},
                                    {"tensorflow", MakeTensorflowPlugin},
                                    {"mpi", MakeMpiPlugin},
                                    {"ray", MakeRayPlugin},
                                    {"hcclrank", MakeHcclRankPlugin}};

}  // namespace

PluginSet MakePlugins(const kube::VcJobSpec& spec) {
  PluginSet set;
  for (const PluginEntry& entry : kPlugins) {
    for (const auto& [name, arguments] : spec.plugins) {
      if (name != entry.name) continue;
      PluginFlags flags(name, arguments);
      set.plugins.push_back(entry.make(flags));
      std::ranges::move(flags.Complaints(), std::back_inserter(set.complaints));
    }
  }
  for (const auto& [name, arguments] : spec.plugins) {
    if (std::ranges::find(kPlugins, name, &PluginEntry::name) == std::end(kPlugins)) {
      set.complaints.push_back(fmt::format("there is no plugin {}", name));
    }
  }
  return set;
}

}  // namespace basalt::controllers
