#include "scheduler/framework/eviction_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "kube/types/time.h"
#include "model/annotations.h"

namespace basalt::scheduler {

namespace {

namespace json = boost::json;

std::optional<EvictionRecord> ReadOne(const json::value& value) {
  const json::object* object = value.if_object();
  if (!object) return std::nullopt;
  bool complete = true;
  const auto text = [&](std::string_view key) {
    const json::value* field = object->if_contains(key);
    const json::string* found = field ? field->if_string() : nullptr;
    complete = complete && found && !found->empty();
    return found ? std::string(*found) : std::string();
  };
  EvictionRecord record{.victim_uid = text("uid"),
                        .victim = text("pod"),
                        .victim_origin = text("origin"),
                        .beneficiary_uid = text("forUid"),
                        .beneficiary = text("for")};
  const Result<Time> at = kube::ParseTime(text("at"));
  if (!complete || !at) return std::nullopt;
  record.at = *at;
  return record;
}

}  // namespace

std::string WriteEvictions(const std::vector<EvictionRecord>& records) {
  json::array list;
  for (const EvictionRecord& record : records) {
    list.push_back(json::object{{"pod", record.victim},
                                {"uid", record.victim_uid},
                                {"origin", record.victim_origin},
                                {"for", record.beneficiary},
                                {"forUid", record.beneficiary_uid},
                                {"at", kube::FormatTime(record.at)}});
  }
  return json::serialize(list);
}

std::vector<EvictionRecord> ReadEvictions(std::string_view text) {
  std::vector<EvictionRecord> records;
  if (text.size() > kLongestEvictions) return records;
  boost::system::error_code error;
  const json::value parsed = json::parse(text, error);
  const json::array* list = error ? nullptr : parsed.if_array();
  if (!list) return records;
  for (const json::value& value : *list) {
    if (records.size() == kMostCarriedEvictions) break;
    if (auto record = ReadOne(value)) records.push_back(*std::move(record));
  }
  return records;
}

namespace {

constexpr std::string_view kPurpose = "evictions";
// How far the clocks of two schedulers may be apart.
constexpr Duration kClockSkew = 1min;

template <class Index>
void Unlist(Index& index, const std::string& key, std::uint64_t number) {
  const auto it = index.find(key);
  if (it == index.end()) return;
  std::erase(it->second, number);
  if (it->second.empty()) index.erase(it);
}

}  // namespace

std::string EvictionMemory::OriginOf(const model::Cluster& cluster, const model::Task& task) {
  const model::Job* job = cluster.FindJob(task.job);
  std::string origin;
  if (const kube::OwnerReference* controller = task.pod->meta.Controller()) {
    origin = "controller " + controller->uid;
  } else if (job && !job->shadow) {
    origin = "group " + job->key();
  } else {
    origin = "pod " + task.pod->meta.Key();
  }
  // A group that has got another priority or queue asks under another policy.
  const std::string queue = job && job->queue.valid() ? cluster.queue(job->queue).name : "";
  return fmt::format("{} {} {} {} {}", origin, model::TaskRole(*task.pod), task.priority,
                     job ? job->priority : 0, queue);
}

std::string WhySpared(const model::Task& victim, EvictionMemory::Ruling why) {
  return fmt::format("{} is not evicted for this pod: {}", victim.pod->meta.Key(),
                     why == EvictionMemory::Ruling::kTwice
                         ? "a pod of that name was evicted for it before"
                         : "it has its place because a pod of the same origin was evicted for it");
}

EvictionMemory::Ruling EvictionMemory::Judge(const model::Cluster& cluster,
                                             const model::Task& victim,
                                             const model::Task& beneficiary, Time now) const {
  if (const auto refused = refused_.find(victim.uid());
      refused != refused_.end() && now - refused->second < options_.after_refusal) {
    return Ruling::kRefusedLately;
  }
  if (log_.empty()) return Ruling::kMay;
  if (const auto known = by_victim_name_.find(victim.pod->meta.Key());
      known != by_victim_name_.end()) {
    for (const std::uint64_t number : known->second) {
      if (log_[number - first_]->beneficiary_uid == beneficiary.uid()) return Ruling::kTwice;
    }
  }
  if (by_beneficiary_.contains(victim.uid()) &&
      GainedFrom(victim.uid(), OriginOf(cluster, beneficiary))) {
    return Ruling::kCycle;
  }
  return Ruling::kMay;
}

// The evictions for the pod, those for the pods that left for it, and so on: the nearest first, and
// no pod twice, as long as `visit` says true. Without those before number `from`.
template <class Visit>
void EvictionMemory::VisitEvictionsFor(std::string_view uid, std::uint64_t from,
                                       Visit visit) const {
  std::vector<std::string_view> gainers{uid};
  boost::unordered_flat_set<std::string_view> seen{uid};
  for (std::size_t i = 0; i < gainers.size(); ++i) {
    const auto gained = by_beneficiary_.find(std::string(gainers[i]));
    if (gained == by_beneficiary_.end()) continue;
    for (const std::uint64_t number : gained->second) {
      if (number < from) continue;
      const Eviction& eviction = *log_[number - first_];
      if (!visit(eviction)) return;
      if (seen.insert(eviction.victim_uid).second) gainers.push_back(eviction.victim_uid);
    }
  }
}

// Whether a pod of that origin left for the pod, or for a pod that left for it, and so on. It is
// asked for every candidate: no more than a few evictions are looked at.
bool EvictionMemory::GainedFrom(std::string_view uid, const std::string& origin) const {
  constexpr std::size_t kMostLookedAt = 256;
  std::size_t looked_at = 0;
  bool gained = false;
  VisitEvictionsFor(uid, policy_since_, [&](const Eviction& eviction) {
    gained = eviction.victim_origin == origin;
    return !gained && ++looked_at < kMostLookedAt;
  });
  return gained;
}

void EvictionMemory::Record(const model::Cluster& cluster, const model::Task& victim,
                            const model::Task& beneficiary, Time now) {
  Add(std::make_shared<const Eviction>(Eviction{.victim_uid = victim.uid(),
                                                .victim = victim.pod->meta.Key(),
                                                .victim_origin = OriginOf(cluster, victim),
                                                .beneficiary_uid = beneficiary.uid(),
                                                .beneficiary = beneficiary.pod->meta.Key(),
                                                .at = now}));
}

void EvictionMemory::Add(std::shared_ptr<const Eviction> added) {
  const std::uint64_t number = first_ + log_.size();
  const Eviction& eviction = *log_.emplace_back(std::move(added));
  by_beneficiary_[eviction.beneficiary_uid].push_back(number);
  by_victim_[eviction.victim_uid].push_back(number);
  by_victim_name_[eviction.victim].push_back(number);
  while (log_.size() > options_.most) Erase(first_);
}

// ---- what pods carry

std::string EvictionMemory::AnnotationOf(const std::string& uid) const {
  if (!options_.signer) return {};
  std::vector<Eviction> carried;
  VisitEvictionsFor(uid, first_, [&](const Eviction& eviction) {
    carried.push_back(eviction);
    return carried.size() < kMostCarriedEvictions;
  });
  if (carried.empty()) return {};
  return Seal(*options_.signer, kPurpose, uid, WriteEvictions(carried));
}

void EvictionMemory::Restore(const model::Cluster& cluster, Time now) {
  const auto stays = [&](const Eviction& eviction) {
    const std::size_t slash = eviction.victim.find('/');
    if (slash == std::string::npos) return false;
    const model::Task* task = cluster.FindTask(std::string_view(eviction.victim).substr(0, slash),
                                               std::string_view(eviction.victim).substr(slash + 1));
    return task && task->uid() == eviction.victim_uid && !task->pod->meta.deleting();
  };
  std::vector<Eviction> all;  // a pod adds 32 at most
  for (const auto& eviction : log_) {
    if (eviction) all.push_back(*eviction);
  }
  cluster.tasks().ForEach([&](const model::Task& task) {
    const auto carried = task.pod->meta.annotations.Find(model::annotations::kEvictions);
    if (!carried || !options_.signer || carried->size() > kLongestEvictions) return;
    const auto genuine = Unseal(*options_.signer, kPurpose, task.uid(), *carried);
    if (!genuine) return;
    for (Eviction& eviction : ReadEvictions(*genuine)) {
      if (eviction.at > now + kClockSkew) continue;
      const auto known = by_victim_.find(eviction.victim_uid);
      if (known == by_victim_.end() && !stays(eviction)) all.push_back(std::move(eviction));
    }
  });
  std::ranges::sort(all, {}, [](const Eviction& eviction) {
    return std::tie(eviction.at, eviction.victim_uid, eviction.beneficiary_uid);
  });
  // Several pods may carry the same one.
  all.erase(std::ranges::unique(all).begin(), all.end());
  Clear();
  for (Eviction& eviction : all) Add(std::make_shared<const Eviction>(std::move(eviction)));
  Forget(now);
}

// ---- for another thread

EvictionMemory::Image EvictionMemory::TakeImage() const {
  return {.log = {log_.begin(), log_.end()},
          .first = first_,
          .policy_since = policy_since_,
          .refused = refused_,
          .cycles_broken = cycles_broken_};
}

void EvictionMemory::Adopt(const Image& image) {
  Clear();
  first_ = image.first;
  for (const std::shared_ptr<const Eviction>& eviction : image.log) {
    if (eviction) {
      Add(eviction);
    } else {
      log_.push_back(nullptr);
    }
  }
  policy_since_ = image.policy_since;
  refused_ = image.refused;
  cycles_broken_ = image.cycles_broken;
}

void EvictionMemory::Clear() {
  first_ += log_.size();
  log_.clear();
  by_beneficiary_.clear();
  by_victim_.clear();
  by_victim_name_.clear();
}

void EvictionMemory::Erase(std::uint64_t number) {
  if (const auto eviction = std::exchange(log_[number - first_], nullptr)) {
    Unlist(by_beneficiary_, eviction->beneficiary_uid, number);
    Unlist(by_victim_, eviction->victim_uid, number);
    Unlist(by_victim_name_, eviction->victim, number);
  }
  while (!log_.empty() && !log_.front()) {
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

bool EvictionMemory::NoteSpared(Ruling ruling, const model::Task& victim,
                                const model::Task& beneficiary) {
  if (spared_.size() >= options_.most) spared_.clear();
  if (!spared_.insert(victim.uid() + " for " + beneficiary.uid()).second) return false;
  if (ruling == Ruling::kCycle) ++cycles_broken_;
  return true;
}

void EvictionMemory::Forget(Time now) {
  while (!log_.empty() && now - log_.front()->at >= options_.remember) Erase(first_);
  if (!refused_.empty()) {
    boost::unordered::erase_if(
        refused_, [&](const auto& entry) { return now - entry.second >= options_.after_refusal; });
  }
  if (log_.empty()) spared_.clear();
}

}  // namespace basalt::scheduler
