#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kube/types/affinity.h"
#include "kube/types/pod.h"
#include "model/objects.h"

namespace basalt::scheduler {

// Which pods a term of pod affinity, or a spread constraint, is about. A value.
class PodMatcher {
 public:
  // The namespaces of a term: those it names, those its selector selects, or the pod's own.
  static PodMatcher Of(const kube::PodAffinityTerm& term, const kube::Pod& owner,
                       const model::Objects& objects);
  // Spread constraints count pods of the owner's namespace; labels named by matchLabelKeys narrow
  // the selector.
  static PodMatcher Of(const kube::TopologySpreadConstraint& constraint, const kube::Pod& owner);
  // Pods that all of them match.
  static PodMatcher AllOf(std::vector<PodMatcher> matchers);

  bool Matches(const kube::Pod& pod) const;

 private:
  friend class PodMatchers;
  struct Part {
    bool all_namespaces = false;
    std::vector<std::string> namespaces;
    std::optional<kube::LabelSelector> selector;  // none: it matches nothing

    bool Matches(const kube::Pod& pod) const;
  };
  // The same for matchers that say the same.
  std::string Key() const;

  std::vector<Part> parts_;  // all must match
};

// Every matcher that is in use, once, under a number. Those that match a pod are found by its
// labels and its namespace, without asking the others. Owned by a PodCounts, on the cluster's
// thread.
class PodMatchers {
 public:
  using Number = std::uint32_t;

  Number Intern(PodMatcher matcher);
  const PodMatcher& operator[](Number number) const { return matchers_[number]; }
  Number size() const { return static_cast<Number>(matchers_.size()); }

  // A label and the values of which a pod must have one to match; nullptr: there is none such.
  const kube::LabelRequirement* ValuesNeeded(Number number) const;
  // Adds those from number `from` on that match the pod, the smallest number first.
  void FindMatching(const kube::Pod& pod, Number from, std::vector<Number>* found) const;

 private:
  using Index = boost::unordered_flat_map<std::string, std::vector<Number>>;

  void AddToIndex(Number number);

  std::vector<PodMatcher> matchers_;
  boost::unordered_flat_map<std::string, Number> by_key_;
  // Each matcher is in one of these, under what it needs.
  Index by_label_;      // a label's key and value
  Index by_label_key_;  // a label of any value
  Index by_namespace_;
  std::vector<Number> others_;
};

}  // namespace basalt::scheduler
