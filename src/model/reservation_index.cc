#include "model/reservation_index.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <span>
#include <tuple>

#include "model/reservations.h"

namespace basalt::model {
namespace {

using Kind = ReservationMark::Kind;

std::size_t HashOf(std::size_t ns, Kind kind, std::string_view what, std::string_view value = {}) {
  std::size_t hash = ns;
  boost::hash_combine(hash, static_cast<int>(kind));
  boost::hash_combine(hash, what);
  boost::hash_combine(hash, value);
  return hash;
}

std::size_t HashOf(std::string_view ns) { return boost::hash<std::string_view>()(ns); }

// One requirement that names values is enough: a pod must carry one of them.
void AddMarks(const kube::LabelSelector& selector, std::size_t ns,
              std::vector<ReservationMark>& marks) {
  for (const kube::LabelRequirement& requirement : selector.requirements()) {
    if (requirement.op != kube::LabelRequirement::Operator::kEquals &&
        requirement.op != kube::LabelRequirement::Operator::kIn) {
      continue;
    }
    for (const std::string& value : requirement.values) {
      marks.push_back({.kind = Kind::kLabel,
                       .key = requirement.key,
                       .hash = HashOf(ns, Kind::kLabel, requirement.key, value)});
    }
    return;
  }
  marks.push_back({.hash = HashOf(ns, Kind::kAnybody, {})});
}

ReservationMark MarkOf(const kube::ObjectReference& object, std::size_t ns) {
  const auto mark = [&](Kind kind, std::string_view what) {
    return ReservationMark{.kind = kind, .key = {}, .hash = HashOf(ns, kind, what)};
  };
  if (!object.uid.empty()) return mark(Kind::kUid, object.uid);
  if (!object.name.empty()) return mark(Kind::kName, object.name);
  return mark(Kind::kAnybody, {});
}

std::vector<ReservationMark> MarksOf(const kube::Reservation& object) {
  const std::size_t ns = HashOf(object.meta.ns);
  std::vector<ReservationMark> marks;
  for (const kube::Reservation::Owner& owner : object.owners) {
    if (owner.label_selector) AddMarks(*owner.label_selector, ns, marks);
    if (owner.object) marks.push_back(MarkOf(*owner.object, ns));
  }
  std::ranges::sort(marks, {}, &ReservationMark::hash);
  const auto repeats = std::ranges::unique(marks, {}, &ReservationMark::hash);
  marks.erase(repeats.begin(), repeats.end());
  return marks;
}

bool Before(const ReservationRecord* a, const ReservationRecord* b) { return IsOlder(*a, *b); }

}  // namespace

bool IsOlder(const ReservationRecord& a, const ReservationRecord& b) {
  const auto age = [](const ReservationRecord& r) {
    return std::tuple(r.object->meta.creation_timestamp, std::string_view(r.name()));
  };
  return age(a) < age(b);
}

void ReservationIndex::CountKind(const ReservationMark& mark, int by) {
  kinds_[static_cast<std::size_t>(mark.kind)] += by;
  if (mark.kind != Kind::kLabel) return;
  const auto it = label_keys_.try_emplace(mark.key).first;
  it->second += by;
  if (it->second == 0) label_keys_.erase(it);
}

void ReservationIndex::Add(ReservationRecord& record) {
  record.marks = MarksOf(*record.object);
  for (const ReservationMark& mark : record.marks) {
    std::vector<ReservationRecord*>& those = by_mark_[mark.hash];
    those.insert(std::ranges::upper_bound(those, &record, Before), &record);
    CountKind(mark, +1);
  }
}

void ReservationIndex::Remove(ReservationRecord& record) {
  for (const ReservationMark& mark : record.marks) {
    const auto it = by_mark_.find(mark.hash);
    std::erase(it->second, &record);
    if (it->second.empty()) by_mark_.erase(it);
    CountKind(mark, -1);
  }
  record.marks.clear();
}

ReservationIndex::Lists ReservationIndex::ListsFor(const kube::Pod& pod,
                                                   const kube::PodGroup* group) const {
  Lists lists;
  const std::size_t ns = HashOf(pod.meta.ns);
  const auto add = [&](Kind kind, std::string_view what, std::string_view value = {}) {
    const auto it = by_mark_.find(HashOf(ns, kind, what, value));
    if (it != by_mark_.end()) lists.push_back(it->second);
  };
  const auto there_are = [&](Kind kind) { return kinds_[static_cast<std::size_t>(kind)] > 0; };
  if (there_are(Kind::kAnybody)) add(Kind::kAnybody, {});
  const kube::StringMap& labels = pod.meta.labels;
  if (label_keys_.size() > labels.size()) {
    for (const auto& [key, value] : labels) add(Kind::kLabel, key, value);
  } else {
    for (const auto& [key, marks] : label_keys_) {
      if (const auto value = labels.Find(key)) add(Kind::kLabel, key, *value);
    }
  }
  const auto add_object = [&](const auto& object) {
    if (there_are(Kind::kUid)) add(Kind::kUid, object.uid);
    if (there_are(Kind::kName)) add(Kind::kName, object.name);
  };
  if (there_are(Kind::kUid) || there_are(Kind::kName)) {
    add_object(pod.meta);
    for (const kube::OwnerReference& owner : pod.meta.owner_references) add_object(owner);
    if (group) add_object(group->meta);
  }
  return lists;
}

void ReservationIndex::ForEachCandidate(const kube::Pod& pod, const kube::PodGroup* group,
                                        FunctionRef<bool(const ReservationRecord&)> fn) const {
  // Each is by age, and none of them empty.
  Lists lists = ListsFor(pod, group);
  while (!lists.empty()) {
    const ReservationRecord* oldest = lists.front().front();
    for (const auto& list : lists) {
      if (IsOlder(*list.front(), *oldest)) oldest = list.front();
    }
    if (!fn(*oldest)) return;
    for (auto& list : lists) {
      if (list.front() == oldest) list = list.subspan(1);
    }
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
  }
}

}  // namespace basalt::model
