#include "scheduler/framework/eviction_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "model/annotations.h"

namespace basalt::scheduler {
namespace {

std::string NameOf(const model::Task& task) { return task.ns() + "/" + task.name(); }

template <class Index>
void Unlist(Index& index, const std::string& key, std::uint64_t number) {
  const auto it = index.find(key);
  if (it == index.end()) return;
  std::erase(it->second, number);
  if (it->second.empty()) index.erase(it);
}

}  // namespace

std::string EvictionMemory::OriginOf(const model::Cluster& cluster, const model::Task& task) {
  std::string origin;
  if (const kube::OwnerReference* controller = task.pod->meta.Controller()) {
    origin = "controller " + controller->uid;
  } else if (const model::Job* job = cluster.FindJob(task.job); job && !job->shadow) {
    origin = "group " + job->key();
  } else {
    origin = "pod " + NameOf(task);
  }
  return fmt::format("{} {} {}", origin, model::TaskRole(*task.pod), task.priority);
}

EvictionMemory::Ruling EvictionMemory::Judge(const model::Cluster& cluster,
                                             const model::Task& victim,
                                             const model::Task& beneficiary, Time now) const {
  if (const auto refused = refused_.find(victim.uid());
      refused != refused_.end() && now - refused->second < options_.after_refusal) {
    return Ruling::kRefusedLately;
  }
  if (log_.empty()) return Ruling::kMay;
  if (const auto known = by_victim_name_.find(NameOf(victim)); known != by_victim_name_.end()) {
    const std::string name = NameOf(beneficiary);
    for (const std::uint64_t number : known->second) {
      if (log_[number - first_].beneficiary == name) return Ruling::kTwice;
    }
  }
  if (by_beneficiary_.contains(victim.uid()) &&
      GainedFrom(victim.uid(), OriginOf(cluster, beneficiary))) {
    return Ruling::kCycle;
  }
  return Ruling::kMay;
}

// Whether somebody of that origin left for the pod, or for somebody who left for it, and so on.
bool EvictionMemory::GainedFrom(std::string_view uid, const std::string& origin) const {
  std::vector<std::string> open{std::string(uid)};
  boost::unordered_flat_set<std::string> seen;
  while (!open.empty()) {
    const std::string gainer = std::move(open.back());
    open.pop_back();
    if (!seen.insert(gainer).second) continue;
    const auto gained = by_beneficiary_.find(gainer);
    if (gained == by_beneficiary_.end()) continue;
    for (const std::uint64_t number : gained->second) {
      const Eviction& eviction = log_[number - first_];
      if (eviction.victim_origin == origin) return true;
      open.push_back(eviction.victim_uid);
    }
  }
  return false;
}

void EvictionMemory::Record(const model::Cluster& cluster, const model::Task& victim,
                            const model::Task& beneficiary, Time now) {
  Add({.victim_uid = victim.uid(),
       .victim = NameOf(victim),
       .victim_origin = OriginOf(cluster, victim),
       .beneficiary_uid = beneficiary.uid(),
       .beneficiary = NameOf(beneficiary),
       .at = now});
}

void EvictionMemory::Add(Eviction added) {
  const std::uint64_t number = first_ + log_.size();
  log_.push_back(std::move(added));
  const Eviction& eviction = log_.back();
  by_beneficiary_[eviction.beneficiary_uid].push_back(number);
  by_victim_[eviction.victim_uid].push_back(number);
  by_victim_name_[eviction.victim].push_back(number);
  while (log_.size() > options_.most) Erase(first_);
}

// ---- what pods carry

std::string EvictionMemory::AnnotationOf(const std::string& uid) const {
  // More steps than this are as good as none, and a pod must not grow without end.
  constexpr std::size_t kMostCarried = 32;
  std::vector<Eviction> carried;
  std::vector<std::string> gainers{uid};
  for (std::size_t i = 0; i < gainers.size() && carried.size() < kMostCarried; ++i) {
    const auto gained = by_beneficiary_.find(gainers[i]);
    if (gained == by_beneficiary_.end()) continue;
    for (const std::uint64_t number : gained->second) {
      const Eviction& eviction = log_[number - first_];
      if (carried.size() < kMostCarried) carried.push_back(eviction);
      if (std::ranges::find(gainers, eviction.victim_uid) == gainers.end()) {
        gainers.push_back(eviction.victim_uid);
      }
    }
  }
  return carried.empty() ? std::string() : WriteEvictions(carried);
}

void EvictionMemory::Restore(const model::Cluster& cluster, Time now) {
  const auto stays = [&](const Eviction& eviction) {
    const std::size_t slash = eviction.victim.find('/');
    if (slash == std::string::npos) return false;
    const model::Task* task = cluster.FindTask(std::string_view(eviction.victim).substr(0, slash),
                                               std::string_view(eviction.victim).substr(slash + 1));
    return task && task->uid() == eviction.victim_uid && !task->pod->meta.deleting();
  };
  std::vector<Eviction> all;
  for (const Eviction& eviction : log_) {
    if (!eviction.victim_uid.empty()) all.push_back(eviction);
  }
  cluster.tasks().ForEach([&](const model::Task& task) {
    const auto carried = task.pod->meta.annotations.Find(model::annotations::kEvictions);
    if (!carried) return;
    for (Eviction& eviction : ReadEvictions(*carried)) {
      const auto known = by_victim_.find(eviction.victim_uid);
      if (known == by_victim_.end() && !stays(eviction)) all.push_back(std::move(eviction));
    }
  });
  const auto order = [](const Eviction& a, const Eviction& b) {
    return std::tie(a.at, a.victim_uid, a.beneficiary_uid) <
           std::tie(b.at, b.victim_uid, b.beneficiary_uid);
  };
  std::ranges::sort(all, order);
  // Several pods may carry the same one.
  const auto same = std::ranges::unique(all);
  all.erase(same.begin(), same.end());
  while (!log_.empty()) Erase(first_);
  for (Eviction& eviction : all) Add(std::move(eviction));
  Forget(now);
}

void EvictionMemory::Erase(std::uint64_t number) {
  Eviction& eviction = log_[number - first_];
  if (!eviction.victim_uid.empty()) {
    Unlist(by_beneficiary_, eviction.beneficiary_uid, number);
    Unlist(by_victim_, eviction.victim_uid, number);
    Unlist(by_victim_name_, eviction.victim, number);
    eviction = {.at = eviction.at};
  }
  while (!log_.empty() && log_.front().victim_uid.empty()) {
    log_.pop_front();
    ++first_;
  }
}

void EvictionMemory::Refused(std::string_view victim_uid, Time now) {
  const std::string uid(victim_uid);
  refused_[uid] = now;
  const auto known = by_victim_.find(uid);
  if (known != by_victim_.end()) Erase(std::uint64_t{known->second.back()});
}

bool EvictionMemory::NoteBroken(const model::Task& victim, const model::Task& beneficiary) {
  if (broken_.size() >= options_.most) broken_.clear();
  if (!broken_.insert(victim.uid() + " for " + beneficiary.uid()).second) return false;
  ++cycles_broken_;
  return true;
}

void EvictionMemory::Forget(Time now) {
  while (!log_.empty() && now - log_.front().at >= options_.remember) Erase(first_);
  if (!refused_.empty()) {
    boost::unordered::erase_if(
        refused_, [&](const auto& entry) { return now - entry.second >= options_.after_refusal; });
  }
  if (log_.empty()) broken_.clear();
}

}  // namespace basalt::scheduler
