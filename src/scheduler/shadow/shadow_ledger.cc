#include "scheduler/shadow/shadow_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "kube/types/time.h"

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

// Every evictor, Volcano and the eviction API among them, leaves this condition on the pod.
bool IsEvicted(const kube::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const auto& condition) {
    return condition.type == "DisruptionTarget" && condition.status == kube::ConditionStatus::kTrue;
  });
}

std::string EvictionText(ShadowEviction which) {
  return fmt::format("evicted_{}", kShadowEvictionNames[static_cast<int>(which)]);
}

double InSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

ShadowLedger::Decision& ShadowLedger::Note(Time now, const kube::Pod& pod) {
  Decision& decision = decisions_[pod.meta.uid];
  decision.key = pod.meta.Key();
  decision.taken_from = now;
  return decision;
}

void ShadowLedger::WouldBind(Time now, const kube::Pod& pod, const std::string& node) {
  Decision& decision = Note(now, pod);
  decision.node = node;
  if (!decision.bind_at) decision.bind_at = now;
}

void ShadowLedger::WouldEvict(Time now, const kube::Pod& pod) {
  Decision& decision = Note(now, pod);
  // A promise names the pods that leave for it each time, also when the other scheduler has evicted
  // them meanwhile.
  if (!decision.evict_at && !decision.evicted) decision.evict_at = now;
}

std::optional<ShadowDifference> ShadowLedger::Saw(Time now, const kube::Pod* before,
                                                  const kube::Pod* after) {
  const kube::Pod* pod = after ? after : before;
  if (pod == nullptr) return std::nullopt;
  const auto found = decisions_.find(pod->meta.uid);
  const Decision* ours = found == decisions_.end() ? nullptr : &found->second;
  const bool had_node = before && before->bound();
  const bool has_node = after && after->bound();

  if (before && !had_node && has_node) {
    const bool decided = ours && ours->bind_at;
    const ShadowClass which = !decided                                    ? ShadowClass::kLater
                              : ours->node != after->spec.node_name       ? ShadowClass::kElsewhere
                              : now - *ours->bind_at > options_.tolerance ? ShadowClass::kEarlier
                                                                          : ShadowClass::kAgreed;
    ShadowDifference difference = Count(which, now, ours, *after);
    if (ours && ours->evict_at) {
      found->second.bind_at.reset();  // that it would have to leave again is another matter
    } else if (ours) {
      decisions_.erase(found);
    }
    if (which == ShadowClass::kAgreed) return std::nullopt;
    return difference;
  }

  std::optional<ShadowDifference> difference;
  const bool was_evicted = before && IsEvicted(*before);
  if (after && had_node && !was_evicted && IsEvicted(*after)) {
    difference = EvictedByTheOther(now, ours, pod->meta.Key());
    decisions_[pod->meta.uid] = {.key = pod->meta.Key(), .evicted = true};
    return difference;
  }
  if (!after || after->terminal()) {
    if (ours && ours->bind_at && !had_node) {
      difference = Count(ShadowClass::kOnlyOurs, now, ours, *pod);
    }
    if (ours && ours->evict_at && !ours->evict_counted) {
      difference = Count(ShadowEviction::kOnlyOurs, now, ours->key);
    }
    if (found != decisions_.end()) decisions_.erase(found);
  }
  return difference;
}

std::optional<ShadowDifference> ShadowLedger::EvictedByTheOther(Time now, const Decision* ours,
                                                                const std::string& key) {
  if (ours == nullptr || !ours->evict_at) return Count(ShadowEviction::kOnlyTheirs, now, key);
  if (ours->evict_counted) {  // the other has come to it later
    --evictions_[static_cast<int>(ShadowEviction::kOnlyOurs)];
    std::erase_if(differences_, [&](const ShadowDifference& known) {
      return known.pod == key && known.what == EvictionText(ShadowEviction::kOnlyOurs);
    });
  }
  Count(ShadowEviction::kBoth, now, key);
  return std::nullopt;
}

// An eviction that the other scheduler did not want is counted when it is taken back: the pod still
// runs. It is counted once, however often it is decided again.
std::vector<std::string> ShadowLedger::TakeBack(Time now) {
  std::vector<std::string> keys;
  for (auto it = decisions_.begin(); it != decisions_.end();) {
    Decision& decision = it->second;
    if (!decision.taken_from || now - *decision.taken_from < options_.patience) {
      ++it;
      continue;
    }
    keys.push_back(decision.key);
    decision.taken_from.reset();
    if (decision.evict_at && !decision.evict_counted) {
      Count(ShadowEviction::kOnlyOurs, now, decision.key);
      decision.evict_counted = true;
    }
    // What would have become of a pod is remembered until its fate is known.
    const bool open = decision.bind_at || decision.evict_at || decision.evicted;
    it = open ? std::next(it) : decisions_.erase(it);
  }
  return keys;
}

std::size_t ShadowLedger::ahead() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      decisions_, [](const auto& entry) { return entry.second.bind_at.has_value(); }));
}

std::size_t ShadowLedger::evictions_ahead() const {
  return static_cast<std::size_t>(std::ranges::count_if(decisions_, [](const auto& entry) {
    return entry.second.evict_at.has_value() && !entry.second.evict_counted;
  }));
}

ShadowDifference ShadowLedger::Count(ShadowClass which, Time now, const Decision* ours,
                                     const kube::Pod& pod) {
  ++counts_[static_cast<int>(which)];
  ShadowDifference difference{.at = now,
                              .pod = pod.meta.Key(),
                              .what = std::string(kShadowClassNames[static_cast<int>(which)]),
                              .ours = ours ? ours->node : "",
                              .theirs = pod.spec.node_name};
  if (ours && ours->bind_at) difference.earlier = now - *ours->bind_at;
  if (which != ShadowClass::kAgreed) Remember(difference);
  return difference;
}

ShadowDifference ShadowLedger::Count(ShadowEviction which, Time now, const std::string& key) {
  ++evictions_[static_cast<int>(which)];
  ShadowDifference difference{.at = now, .pod = key, .what = EvictionText(which)};
  if (which != ShadowEviction::kBoth) Remember(difference);
  return difference;
}

void ShadowLedger::Remember(const ShadowDifference& difference) {
  differences_.push_back(difference);
  if (differences_.size() > options_.most_differences) differences_.pop_front();
}

json::value ShadowReport(const ShadowLedger& ledger, Time since, Time now) {
  json::object pods;
  for (int i = 0; i < kShadowClasses; ++i) {
    pods[kShadowClassNames[i]] = ledger.count(static_cast<ShadowClass>(i));
  }
  pods["ahead"] = ledger.ahead();
  json::object evictions;
  for (int i = 0; i < kShadowEvictions; ++i) {
    evictions[kShadowEvictionNames[i]] = ledger.count(static_cast<ShadowEviction>(i));
  }
  const auto theirs = ledger.count(ShadowEviction::kOnlyTheirs);
  const auto ours = ledger.count(ShadowEviction::kOnlyOurs);
  evictions["ahead"] = ledger.evictions_ahead();
  evictions["fewer"] = theirs > ours ? theirs - ours : 0;
  json::array differences;
  for (const ShadowDifference& difference : ledger.differences()) {
    differences.push_back(json::object{{"at", kube::FormatTime(difference.at)},
                                       {"pod", difference.pod},
                                       {"what", difference.what},
                                       {"ours", difference.ours},
                                       {"theirs", difference.theirs},
                                       {"secondsEarlier", InSeconds(difference.earlier)}});
  }
  return json::object{{"since", kube::FormatTime(since)},
                      {"until", kube::FormatTime(now)},
                      {"pods", std::move(pods)},
                      {"evictions", std::move(evictions)},
                      {"differences", std::move(differences)}};
}

}  // namespace basalt::scheduler
