#include "scheduler/framework/pod_counts.h"

#include <algorithm>

namespace basalt::scheduler {

using model::Holding;
using model::Task;

namespace {

// More than that are looked through for those in use: all are forgotten and found again.
constexpr std::size_t kMostMatchers = std::size_t{1} << 17;
constexpr std::size_t kLongestLog = std::size_t{1} << 20;
// Labels that are indexed one by one; where rules read more of them, all are at once.
constexpr std::size_t kMostKeys = 16;

std::string LabelKey(std::string_view key, std::string_view value) {
  std::string text(key);
  text += '=';
  text += value;
  return text;
}

}  // namespace

void PodCounts::Open(const model::Cluster& cluster) {
  for (const auto& counted : counted_) of_matcher_[counted->matcher].counted.clear();
  for (const std::uint32_t term : terms_owned_) terms_[term].owned.reset();
  // Namespaces are in the matchers.
  const bool anew = cluster_ != &cluster ||
                    namespaces_generation_ != cluster.objects().namespaces.generation() ||
                    matchers_.size() > kMostMatchers;
  cluster_ = &cluster;
  namespaces_generation_ = cluster.objects().namespaces.generation();
  ++session_;
  topologies_.Open(cluster);
  if (anew) {
    matchers_ = {};
    of_matcher_.clear();
    terms_.clear();
    classes_.clear();
  }
  counted_.clear();
  owned_known_ = false;
  terms_owned_.clear();
  log_.clear();
  log_start_ = 0;
  asked_about_.clear();
  classes_indexed_ = all_labels_indexed_ = false;
  placed_classes_.clear();
  indexed_keys_.clear();
  classes_by_label_.clear();
}

// ---- classes, matchers and terms

PodCounts::OfClass& PodCounts::InfoOf(const Task& task) {
  const std::uint32_t id = task.task_class->id;
  if (id >= classes_.size()) classes_.resize(id + 1);
  std::unique_ptr<OfClass>& info = classes_[id];
  if (!info || info->example != task.task_class->example) {
    info = std::make_unique<OfClass>();
    info->example = task.task_class->example;
  }
  if (info->session != session_) {
    info->session = session_;
    info->indexed = info->about_known = false;
    info->about.clear();
  }
  return *info;
}

const std::vector<PodCounts::Matcher>& PodCounts::MatchedBy(OfClass& info) {
  matchers_.FindMatching(*info.example, info.matchers_seen, &info.matched_by);
  info.matchers_seen = matchers_.size();
  return info.matched_by;
}

PodCounts::Matcher PodCounts::Intern(PodMatcher matcher) {
  const Matcher number = matchers_.Intern(std::move(matcher));
  of_matcher_.resize(matchers_.size());
  return number;
}

std::uint32_t PodCounts::InternTerm(Topologies::Number topology, Matcher matcher) {
  for (const std::uint32_t term : of_matcher_[matcher].terms) {
    if (terms_[term].topology == topology) return term;
  }
  const auto term = static_cast<std::uint32_t>(terms_.size());
  terms_.push_back({topology, matcher, nullptr});
  of_matcher_[matcher].terms.push_back(term);
  return term;
}

const std::vector<std::pair<std::uint32_t, int>>& PodCounts::OwnOf(OfClass& info) {
  if (info.own_known) return info.own;
  info.own_known = true;
  own_scratch_.clear();
  own_terms_(*info.example, &own_scratch_);
  for (const OwnTerm& own : own_scratch_) {
    const Matcher matcher = Intern(PodMatcher::Of(*own.term, *info.example, cluster_->objects()));
    info.own.emplace_back(InternTerm(topologies_.NumberOf(own.term->topology_key), matcher),
                          own.weight);
  }
  return info.own;
}

// ---- placed tasks that match

const DomainCounts& PodCounts::Matching(PodMatcher matcher, const Topology& topology,
                                        CountRule rule) {
  const Matcher number = Intern(std::move(matcher));
  for (const Counted* known : of_matcher_[number].counted) {
    if (&known->counts.topology() == &topology && known->rule == rule) return known->counts;
  }
  counted_.push_back(std::make_unique<Counted>(
      Counted{.matcher = number, .rule = rule, .counts = DomainCounts(topology, rule.keep)}));
  Counted& counted = *counted_.back();
  of_matcher_[number].counted.push_back(&counted);
  CountPlaced(counted);
  return counted.counts;
}

void PodCounts::CountPlaced(Counted& counted) {
  IndexPlacedClasses();
  if (const kube::LabelRequirement* needed = matchers_.ValuesNeeded(counted.matcher)) {
    for (std::size_t i = 0; i < needed->values.size(); ++i) {
      const auto earlier = needed->values.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(needed->values.begin(), earlier, needed->values[i]) != earlier) continue;
      for (const std::uint32_t id : ClassesWith(needed->key, needed->values[i])) {
        CountClass(counted, id);
      }
    }
    return;
  }
  for (const std::uint32_t id : placed_classes_) CountClass(counted, id);
}

void PodCounts::CountClass(Counted& counted, std::uint32_t class_id) {
  if (!matchers_[counted.matcher].Matches(*classes_[class_id]->example)) return;
  for (const Task& task : cluster_->TasksOf(cluster_->placed_of_class(class_id))) {
    if (counted.rule.Counts(task.holding)) counted.counts.Change(task.node(), +1);
  }
}

void PodCounts::IndexPlacedClasses() {
  if (classes_indexed_) return;
  classes_indexed_ = true;
  for (std::uint32_t id = 0; id < cluster_->placed_classes_bound(); ++id) {
    const std::vector<model::TaskId>& tasks = cluster_->placed_of_class(id);
    if (!tasks.empty()) IndexClass(id, InfoOf(cluster_->task(tasks.front())));
  }
}

void PodCounts::IndexClass(std::uint32_t class_id, OfClass& info) {
  if (info.indexed) return;
  info.indexed = true;
  placed_classes_.push_back(class_id);
  if (all_labels_indexed_) {
    AddLabels(class_id, *info.example, {});
  } else {
    for (const std::string& key : indexed_keys_) AddLabels(class_id, *info.example, key);
  }
}

// Of all labels, or of the one.
void PodCounts::AddLabels(std::uint32_t class_id, const kube::Pod& pod, std::string_view only_key) {
  if (!only_key.empty()) {
    const auto value = pod.meta.labels.Find(only_key);
    if (value) classes_by_label_[LabelKey(only_key, *value)].push_back(class_id);
    return;
  }
  for (const auto label : pod.meta.labels) {
    classes_by_label_[LabelKey(label.key, label.value)].push_back(class_id);
  }
}

std::span<const std::uint32_t> PodCounts::ClassesWith(std::string_view key,
                                                      std::string_view value) {
  if (!all_labels_indexed_ && std::ranges::find(indexed_keys_, key) == indexed_keys_.end()) {
    all_labels_indexed_ = indexed_keys_.size() >= kMostKeys;
    if (all_labels_indexed_) {
      classes_by_label_.clear();
    } else {
      indexed_keys_.emplace_back(key);
    }
    for (const std::uint32_t id : placed_classes_) {
      AddLabels(id, *classes_[id]->example, all_labels_indexed_ ? std::string_view{} : key);
    }
  }
  const auto it = classes_by_label_.find(LabelKey(key, value));
  if (it == classes_by_label_.end()) return {};
  return it->second;
}

// ---- terms of placed tasks

void PodCounts::CountOwned() {
  owned_known_ = true;
  for (const Task& task : cluster_->TasksOf(cluster_->placed_with_pod_terms())) {
    for (const auto& [term, weight] : OwnOf(InfoOf(task))) {
      ChangeOwned(term, task.node(), weight, /*log=*/false);
    }
  }
}

void PodCounts::ChangeOwned(std::uint32_t number, model::NodeId node, int weight, bool log) {
  Term& term = terms_[number];
  if (!term.owned) {
    term.owned = std::make_unique<DomainCounts>(topologies_[term.topology]);
    terms_owned_.push_back(number);
  }
  const std::int32_t domain = term.owned->DomainOf(node);
  if (domain == Topology::kNoDomain) return;
  term.owned->ChangeDomain(domain, weight);
  if (log) log_.push_back({number, domain, weight});
}

std::span<const std::unique_ptr<DomainCounts>> PodCounts::About(const Task& task) {
  if (!owned_known_) {
    if (cluster_->placed_with_pod_terms().empty()) return {};
    CountOwned();
  }
  if (terms_owned_.empty()) return {};
  OfClass& info = InfoOf(task);
  if (!info.about_known) {
    info.about_known = true;
    info.about_matchers = 0;
    info.log_position = log_start_ + log_.size();
    asked_about_.push_back(task.task_class->id);
  }
  BringUpToDate(info);
  return info.about;
}

void PodCounts::BringUpToDate(OfClass& info) {
  if (info.about_matchers == matchers_.size() && info.log_position == log_start_ + log_.size()) {
    return;
  }
  const std::vector<Matcher>& matched_by = MatchedBy(info);
  const auto first_new = std::ranges::lower_bound(matched_by, info.about_matchers);
  for (std::size_t i = info.log_position - log_start_; i < log_.size(); ++i) {
    const Term& term = terms_[log_[i].term];
    if (!std::binary_search(matched_by.begin(), first_new, term.matcher)) continue;
    AboutOn(info, term.topology).ChangeDomain(log_[i].domain, log_[i].weight);
  }
  // Of matchers that were not known the last time everything is new.
  for (auto it = first_new; it != matched_by.end(); ++it) AddOwned(info, *it);
  info.about_matchers = matchers_.size();
  info.log_position = log_start_ + log_.size();
}

void PodCounts::AddOwned(OfClass& info, Matcher matcher) {
  for (const std::uint32_t number : of_matcher_[matcher].terms) {
    const Term& term = terms_[number];
    if (!term.owned || term.owned->empty()) continue;
    DomainCounts& about = AboutOn(info, term.topology);
    term.owned->ForEachDomain(
        [&](std::int32_t domain, std::int64_t weight) { about.ChangeDomain(domain, weight); });
  }
}

DomainCounts& PodCounts::AboutOn(OfClass& info, Topologies::Number number) {
  const Topology& topology = topologies_[number];
  for (const std::unique_ptr<DomainCounts>& about : info.about) {
    if (&about->topology() == &topology) return *about;
  }
  return *info.about.emplace_back(std::make_unique<DomainCounts>(topology));
}

// ---- moves

void PodCounts::TaskMoved(const Task& task, const Holding& from) {
  const Holding& to = task.holding;
  const bool was = model::OccupiesNode(from), is = model::OccupiesNode(to);
  if (!was && !is) return;
  if (!counted_.empty()) {
    OfClass& info = InfoOf(task);
    if (is) IndexClass(task.task_class->id, info);
    for (const Matcher matcher : MatchedBy(info)) {
      for (Counted* counted : of_matcher_[matcher].counted) {
        const bool counted_before = was && counted->rule.Counts(from);
        const bool counts_now = is && counted->rule.Counts(to);
        if (counted_before && counts_now && from.node == to.node) continue;
        if (counted_before) counted->counts.Change(from.node, -1);
        if (counts_now) counted->counts.Change(to.node, +1);
      }
    }
  }
  if (owned_known_ && task.task_class->has_pod_terms() && !(was && is && from.node == to.node)) {
    for (const auto& [term, weight] : OwnOf(InfoOf(task))) {
      if (was) ChangeOwned(term, from.node, -weight, /*log=*/true);
      if (is) ChangeOwned(term, to.node, weight, /*log=*/true);
    }
    if (log_.size() > kLongestLog) {
      for (const std::uint32_t id : asked_about_) {
        // Another class may have got the number since.
        if (classes_[id]->about_known) BringUpToDate(*classes_[id]);
      }
      log_start_ += log_.size();
      log_.clear();
    }
  }
}

}  // namespace basalt::scheduler
