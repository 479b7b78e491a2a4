#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/pod_matchers.h"
#include "scheduler/framework/topologies.h"

namespace basalt::scheduler {

// How many placed tasks that a term is about there are in each domain, and what the terms of placed
// tasks say about others. Filled as it is asked, then kept up to date move by move: a move costs
// what it changes, a task that no term is about next to nothing. Owned by a plugin, on the
// cluster's thread. Counts live for one session; terms, matchers and topologies are known from
// session to session.
class PodCounts {
 public:
  struct OwnTerm {
    const kube::PodAffinityTerm* term;
    int weight;
  };
  // The terms of a placed pod that concern other pods.
  using OwnTerms = void (*)(const kube::Pod& pod, std::vector<OwnTerm>* terms);
  explicit PodCounts(OwnTerms own_terms) : own_terms_(own_terms) {}

  void Open(const model::Cluster& cluster);
  // The task stood elsewhere before.
  void TaskMoved(const model::Task& task, const model::Holding& from);

  const Topology& TopologyOf(std::string_view key) {
    return topologies_[topologies_.NumberOf(key)];
  }

  struct CountRule {
    bool leaving = true;   // tasks that are being deleted count
    bool promised = true;  // and those that have a promise alone
    DomainCounts::Keep keep = DomainCounts::Keep::kCountsAlone;
    bool Counts(const model::Holding& holding) const {
      return (leaving || holding.status != model::TaskStatus::kReleasing) &&
             (promised || holding.status != model::TaskStatus::kPipelined);
    }
    bool operator==(const CountRule&) const = default;
  };
  // How many placed tasks match, by domain of a topology that lives as long as the session.
  const DomainCounts& Matching(PodMatcher matcher, const Topology& topology, CountRule rule);

  // What the terms of placed tasks say about tasks of this class: weights added up by domain, for
  // each topology. More topologies may come at the end.
  std::span<const std::unique_ptr<DomainCounts>> About(const model::Task& task);

 private:
  using Matcher = PodMatchers::Number;
  struct Counted {
    Matcher matcher;
    CountRule rule;
    DomainCounts counts;
  };
  struct Term {
    Topologies::Number topology;
    Matcher matcher;
    std::unique_ptr<DomainCounts> owned;  // weights of the placed tasks that have it
  };
  struct OfMatcher {
    std::vector<Counted*> counted;
    std::vector<std::uint32_t> terms;
  };
  struct OfClass {
    std::shared_ptr<const kube::Pod> example;  // a number may be given to another class later
    std::vector<Matcher> matched_by;           // of the first `matchers_seen`, in order
    Matcher matchers_seen = 0;
    bool own_known = false;
    std::vector<std::pair<std::uint32_t, int>> own;  // terms and their weights
    // In this session.
    std::uint64_t session = 0;
    bool indexed = false;
    bool about_known = false;
    Matcher about_matchers = 0;  // those that `about` has in it
    std::uint64_t log_position = 0;
    std::vector<std::unique_ptr<DomainCounts>> about;
  };
  // A change of a term's owned weights.
  struct LogEntry {
    std::uint32_t term;
    std::int32_t domain;
    std::int32_t weight;
  };

  OfClass& InfoOf(const model::Task& task);
  const std::vector<Matcher>& MatchedBy(OfClass& info);
  const std::vector<std::pair<std::uint32_t, int>>& OwnOf(OfClass& info);
  Matcher Intern(PodMatcher matcher);
  std::uint32_t InternTerm(Topologies::Number topology, Matcher matcher);

  void CountPlaced(Counted& counted);
  void CountClass(Counted& counted, std::uint32_t class_id);
  void IndexPlacedClasses();
  void IndexClass(std::uint32_t class_id, OfClass& info);
  void AddLabels(std::uint32_t class_id, const kube::Pod& pod, std::string_view only_key);
  std::span<const std::uint32_t> ClassesWith(std::string_view key, std::string_view value);

  void CountOwned();
  void ChangeOwned(std::uint32_t term, model::NodeId node, int weight, bool log);
  void BringUpToDate(OfClass& info);
  void AddOwned(OfClass& info, Matcher matcher);
  DomainCounts& AboutOn(OfClass& info, Topologies::Number number);

  OwnTerms own_terms_;
  const model::Cluster* cluster_ = nullptr;
  std::uint64_t session_ = 0;
  std::uint64_t namespaces_generation_ = ~0ull;
  Topologies topologies_;
  PodMatchers matchers_;
  std::vector<OfMatcher> of_matcher_;
  std::vector<Term> terms_;
  std::vector<std::unique_ptr<OfClass>> classes_;  // by class id
  std::vector<OwnTerm> own_scratch_;

  // In this session.
  std::vector<std::unique_ptr<Counted>> counted_;
  bool owned_known_ = false;
  std::vector<std::uint32_t> terms_owned_;  // that have had an owner
  std::vector<LogEntry> log_;
  std::uint64_t log_start_ = 0;
  std::vector<std::uint32_t> asked_about_;  // class ids
  // Classes with placed tasks, and by the labels that were asked for.
  bool classes_indexed_ = false;
  std::vector<std::uint32_t> placed_classes_;
  bool all_labels_indexed_ = false;
  std::vector<std::string> indexed_keys_;
  boost::unordered_flat_map<std::string, std::vector<std::uint32_t>> classes_by_label_;
};

}  // namespace basalt::scheduler
