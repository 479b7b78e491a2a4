#pragma once

#include <memory>
#include <string>

#include "kube/informer/shared_informer.h"
#include "kube/types/pod.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// Pods that say that they belong to a Volcano job. The job controller lives by them; the PodGroup
// controller looks past those that really do. A large job's pods change thousands of times: one
// watch serves both.
using PodsOfJobs = kube::SharedInformer<kube::Pod>;

inline std::shared_ptr<PodsOfJobs> WatchPodsOfJobs(kube::Client& client) {
  kube::ReflectorOptions options;
  options.label_selector = std::string(kube::kVcJobNameLabel);
  return std::make_shared<PodsOfJobs>(client, std::move(options));
}

// The Volcano job that controls it; null: none does.
inline const kube::OwnerReference* JobOwner(const kube::ObjectMeta& meta) {
  const kube::OwnerReference* owner = meta.Controller();
  const bool is_job = owner && owner->kind == kube::resources::kVcJobs.kind &&
                      owner->api_version.starts_with("batch.volcano.sh/");
  return is_job ? owner : nullptr;
}

}  // namespace basalt::controllers
