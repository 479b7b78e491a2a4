#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "descheduler/migration/world.h"
#include "kube/informer/informer_set.h"
#include "kube/types/namespace.h"
#include "kube/types/pdb.h"
#include "kube/types/priority_class.h"
#include "kube/types/scheduling.h"
#include "kube/types/storage.h"

namespace basalt::descheduler {

// All that placement depends on, and what migrations look at.
using Informers =
    kube::InformerSet<kube::PriorityClass, kube::Namespace, kube::Queue, kube::PodDisruptionBudget,
                      kube::StorageClass, kube::PersistentVolume, kube::PersistentVolumeClaim,
                      kube::CsiNode, kube::Node, kube::PodGroup, kube::Reservation, kube::Pod>;

// The cluster as the informers know it. Owned by the DeschedulerService; loop thread only.
class ClusterWorld final : public World {
 public:
  // Adds indexes to the informers, which must not have been started, and must outlive it.
  explicit ClusterWorld(Informers& informers);

  const kube::Pod* Pod(std::string_view ns, std::string_view name) const override;
  const kube::Node* Node(std::string_view name) const override;
  const kube::Reservation* Reservation(std::string_view ns, std::string_view name) const override;
  bool BudgetForbids(const kube::Pod& pod) const override;
  std::optional<GroupRoom> GroupOf(const kube::Pod& pod) const override;

  // Whether the pod is there, and neither leaves nor has ended.
  bool PodStays(std::string_view ns, std::string_view uid) const;

 private:
  const Informers& informers_;
};

}  // namespace basalt::descheduler
