#include "scheduler/framework/pod_matchers.h"

#include <algorithm>

namespace basalt::scheduler {
namespace {

using Operator = kube::LabelRequirement::Operator;

void Write(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

std::string& JoinLabel(std::string& key, std::string_view label, std::string_view value) {
  key.assign(label);
  key += '=';  // in no label's key
  key += value;
  return key;
}

}  // namespace

PodMatcher PodMatcher::Of(const kube::PodAffinityTerm& term, const kube::Pod& owner,
                          const model::Objects& objects) {
  PodMatcher matcher;
  Part& part = matcher.parts_.emplace_back();
  part.selector = term.label_selector;
  part.namespaces = term.namespaces;
  if (term.namespace_selector) {
    part.all_namespaces = term.namespace_selector->empty();
    for (const auto& [name, ns] : objects.namespaces) {
      if (term.namespace_selector->Matches(ns->meta.labels)) part.namespaces.push_back(name);
    }
  } else if (part.namespaces.empty()) {
    part.namespaces.push_back(owner.meta.ns);
  }
  if (part.all_namespaces) part.namespaces.clear();
  return matcher;
}

PodMatcher PodMatcher::Of(const kube::TopologySpreadConstraint& constraint,
                          const kube::Pod& owner) {
  PodMatcher matcher;
  Part& part = matcher.parts_.emplace_back();
  part.namespaces.push_back(owner.meta.ns);
  part.selector = constraint.label_selector;
  if (part.selector) {
    for (const std::string& key : constraint.match_label_keys) {
      const auto value = owner.meta.labels.Find(key);
      if (!value) continue;
      part.selector->Add({.key = key, .op = Operator::kEquals, .values = {std::string(*value)}});
    }
    // A selector that is there and says nothing: everything for affinity, nothing for spreading.
    if (part.selector->empty()) part.selector.reset();
  }
  return matcher;
}

PodMatcher PodMatcher::AllOf(std::vector<PodMatcher> matchers) {
  PodMatcher all;
  for (PodMatcher& matcher : matchers) {
    for (Part& part : matcher.parts_) all.parts_.push_back(std::move(part));
  }
  return all;
}

bool PodMatcher::Part::Matches(const kube::Pod& pod) const {
  if (!selector) return false;
  if (!all_namespaces && std::ranges::find(namespaces, pod.meta.ns) == namespaces.end()) {
    return false;
  }
  return selector->Matches(pod.meta.labels);
}

bool PodMatcher::Matches(const kube::Pod& pod) const {
  return std::ranges::all_of(parts_, [&](const Part& part) { return part.Matches(pod); });
}

std::string PodMatcher::Key() const {
  std::string key;
  for (const Part& part : parts_) {
    key += part.all_namespaces ? 'A' : 'N';
    for (const std::string& ns : part.namespaces) Write(key, ns);
    key += part.selector ? 'S' : '-';
    if (!part.selector) continue;
    for (const kube::LabelRequirement& requirement : part.selector->requirements()) {
      key += static_cast<char>('a' + static_cast<int>(requirement.op));
      Write(key, requirement.key);
      for (const std::string& value : requirement.values) Write(key, value);
    }
  }
  return key;
}

PodMatchers::Number PodMatchers::Intern(PodMatcher matcher) {
  const auto [it, added] = by_key_.try_emplace(matcher.Key(), size());
  if (added) {
    matchers_.push_back(std::move(matcher));
    AddToIndex(it->second);
  }
  return it->second;
}

const kube::LabelRequirement* PodMatchers::ValuesNeeded(Number number) const {
  for (const PodMatcher::Part& part : matchers_[number].parts_) {
    if (!part.selector) continue;
    for (const kube::LabelRequirement& requirement : part.selector->requirements()) {
      if (requirement.op == Operator::kEquals || requirement.op == Operator::kIn) {
        return &requirement;
      }
    }
  }
  return nullptr;
}

void PodMatchers::AddToIndex(Number number) {
  const auto add = [&](std::vector<Number>& list) {
    if (list.empty() || list.back() != number) list.push_back(number);
  };
  const std::vector<PodMatcher::Part>& parts = matchers_[number].parts_;
  for (const PodMatcher::Part& part : parts) {
    if (!part.selector) return;  // it matches nothing
  }
  if (const kube::LabelRequirement* needed = ValuesNeeded(number)) {
    std::string key;
    for (const std::string& value : needed->values)
      add(by_label_[JoinLabel(key, needed->key, value)]);
    return;
  }
  for (const PodMatcher::Part& part : parts) {
    for (const kube::LabelRequirement& requirement : part.selector->requirements()) {
      if (requirement.op != Operator::kExists && requirement.op != Operator::kGreater &&
          requirement.op != Operator::kLess) {
        continue;
      }
      return add(by_label_key_[requirement.key]);
    }
  }
  for (const PodMatcher::Part& part : parts) {
    if (part.all_namespaces) continue;
    for (const std::string& ns : part.namespaces) add(by_namespace_[ns]);
    return;
  }
  others_.push_back(number);
}

void PodMatchers::FindMatching(const kube::Pod& pod, Number from,
                               std::vector<Number>* found) const {
  if (from >= size()) return;
  const auto begin = static_cast<std::ptrdiff_t>(found->size());
  const auto ask = [&](const std::vector<Number>& list) {
    for (auto it = std::ranges::lower_bound(list, from); it != list.end(); ++it) {
      if (matchers_[*it].Matches(pod)) found->push_back(*it);
    }
  };
  const auto look_up = [&](const Index& index, const std::string& key) {
    if (const auto it = index.find(key); it != index.end()) ask(it->second);
  };
  std::string key;
  for (const auto label : pod.meta.labels) {
    if (!by_label_.empty()) look_up(by_label_, JoinLabel(key, label.key, label.value));
    if (!by_label_key_.empty()) look_up(by_label_key_, key.assign(label.key));
  }
  if (!by_namespace_.empty()) look_up(by_namespace_, pod.meta.ns);
  ask(others_);
  std::sort(found->begin() + begin, found->end());
}

}  // namespace basalt::scheduler
