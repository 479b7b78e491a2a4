#include "scheduler/framework/plugin_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {
namespace {

template <class Point, Switch... kOn>
void AddTo(Hook<Point, kOn...>& hook, Plugin& plugin, const PluginConfig& config) {
  auto* point = dynamic_cast<Point*>(&plugin);
  if (point && hook.IsOn(config)) hook.tiers.back().push_back(point);
}

}  // namespace

PluginSet::PluginSet(Config config) : config_(std::move(config)) {}
PluginSet::~PluginSet() = default;

model::QueueReach PluginSet::queue_reach() const {
  const bool tree = AnyOf(hooks<QueueAdmission>(), [](const QueueAdmission& plugin) {
    return plugin.Reach() == model::QueueReach::kTree;
  });
  return tree ? model::QueueReach::kTree : model::QueueReach::kOwn;
}

Result<std::unique_ptr<PluginSet>> PluginSet::Make(Config config, const PluginRegistry& registry) {
  std::unique_ptr<PluginSet> set(new PluginSet(std::move(config)));
  for (const Tier& tier : set->config_.tiers) {
    set->hooks_.ForEach([](auto& hook) { hook.tiers.emplace_back(); });
    for (const PluginConfig& option : tier.plugins) {
      const std::string where = option.line > 0
                                    ? fmt::format("line {}: plugin {}", option.line, option.name)
                                    : fmt::format("plugin {}", option.name);
      const PluginFactory* factory = registry.Find(option.name);
      if (!factory) return Fail(ErrorCode::kInvalidArgument, where + ": unknown");
      std::unique_ptr<Plugin> plugin = (*factory)();
      const Result<void> configured = plugin->Configure(option);
      if (!configured) return std::unexpected(configured.error().Wrap(where));
      set->hooks_.ForEach([&](auto& hook) { AddTo(hook, *plugin, option); });
      std::ranges::move(plugin->ReadsFromPod(), std::back_inserter(set->pod_keys_));
      set->plugins_.push_back(std::move(plugin));
    }
  }
  set->hooks_.ForEach(
      [](auto& hook) { std::erase_if(hook.tiers, [](const auto& tier) { return tier.empty(); }); });
  std::ranges::sort(set->pod_keys_);
  set->pod_keys_.erase(std::ranges::unique(set->pod_keys_).begin(), set->pod_keys_.end());
  return set;
}

}  // namespace basalt::scheduler
