#pragma once

#include <boost/unordered/unordered_map.hpp>
#include <cstddef>
#include <memory>
#include <string_view>

#include "kube/types/pod.h"
#include "kube/types/scheduling.h"

namespace basalt::scheduler {

// The looks of shadow PodGroups: what a plain pod's group would say if there were one. Pods that
// look alike share an object, so that a hundred thousand pods of one template cost one. An object
// goes with its last user.
//
// Scheduling thread only.
class ShadowGroups {
 public:
  // minMember 1; requests, annotations (but for the scheduler's own), labels and priority class of
  // the pod. No name, uid or age:
  // these are the job's.
  std::shared_ptr<const kube::PodGroup> LookOf(const kube::Pod& pod, std::string_view queue);

  // Objects in use, and some that are not any more and have not been swept yet.
  std::size_t size() const { return known_.size(); }

 private:
  void Sweep();

  static constexpr std::size_t kFirstSweep = 64;
  boost::unordered_multimap<std::size_t, std::weak_ptr<const kube::PodGroup>> known_;  // by hash
  std::size_t next_sweep_ = kFirstSweep;
};

// Whether both versions of a pod have the same shadow, their requests aside.
bool LooksLike(const kube::Pod& a, const kube::Pod& b);

}  // namespace basalt::scheduler
