#pragma once

#include <memory>
#include <string_view>

#include "descheduler/plugins/extension_points.h"
#include "descheduler/plugins/run.h"

// The plugins that look at pods one by one: each finds pods that by a rule should not be where they
// are, with the arguments of kubernetes-sigs/descheduler v0.36, and proposes to move them wherever
// they fit. Each lives while one plan is made, on the thread that owns the cluster; the profile
// that holds its arguments outlives it.
namespace basalt::descheduler {

// Moves pods whose node does not meet their required node affinity, and pods that would prefer
// another node that can take them, as far as the arguments ask for either.
class RemovePodsViolatingNodeAffinity final : public Deschedule {
 public:
  static constexpr std::string_view kName = "RemovePodsViolatingNodeAffinity";
  explicit RemovePodsViolatingNodeAffinity(const NodeAffinityArgs& args) : args_(args) {}
  void ProposeOneByOne(Run& run) override;

 private:
  // A node that it would like better, by its preferences, and can have; the one it likes best.
  const model::Node* BetterNode(Run& run, const model::Task& task) const;
  const NodeAffinityArgs& args_;
};

// Moves pods that do not tolerate a taint of their node that counts by the arguments.
class RemovePodsViolatingNodeTaints final : public Deschedule {
 public:
  static constexpr std::string_view kName = "RemovePodsViolatingNodeTaints";
  explicit RemovePodsViolatingNodeTaints(const NodeTaintsArgs& args) : args_(args) {}
  void ProposeOneByOne(Run& run) override;

 private:
  bool Counts(const kube::Taint& taint) const;
  const NodeTaintsArgs& args_;
};

// Moves pods whose own required anti-affinity is against a pod near them, the less important first.
class RemovePodsViolatingInterPodAntiAffinity final : public Deschedule {
 public:
  static constexpr std::string_view kName = "RemovePodsViolatingInterPodAntiAffinity";
  explicit RemovePodsViolatingInterPodAntiAffinity(const InterPodAntiAffinityArgs& args)
      : args_(args) {}
  void ProposeOneByOne(Run& run) override;

 private:
  const InterPodAntiAffinityArgs& args_;
};

// The plugin of that name with the profile's arguments. REQUIRES: the profile enables it.
std::unique_ptr<Deschedule> MakeDeschedule(const Profile& profile, std::string_view name);

}  // namespace basalt::descheduler
