#include "model/reservation_index.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <span>
#include <tuple>

#include "model/reservations.h"

namespace basalt::model {
namespace {

enum class Kind : int { kAnybody, kLabel, kUid, kName, kShape };

std::size_t Mark(std::string_view ns, Kind kind, std::string_view a = {}, std::string_view b = {}) {
  std::size_t mark = 0;
  boost::hash_combine(mark, ns);
  boost::hash_combine(mark, static_cast<int>(kind));
  boost::hash_combine(mark, a);
  boost::hash_combine(mark, b);
  return mark;
}

std::size_t ShapeMark(std::string_view ns, std::size_t quick_shape) {
  std::size_t mark = Mark(ns, Kind::kShape);
  boost::hash_combine(mark, quick_shape);
  return mark;
}

// One requirement that names values is enough: a pod must carry one of them.
void AddMarks(const kube::LabelSelector& selector, std::string_view ns,
              std::vector<std::size_t>& marks) {
  for (const kube::LabelRequirement& requirement : selector.requirements()) {
    if (requirement.op != kube::LabelRequirement::Operator::kEquals &&
        requirement.op != kube::LabelRequirement::Operator::kIn) {
      continue;
    }
    for (const std::string& value : requirement.values) {
      marks.push_back(Mark(ns, Kind::kLabel, requirement.key, value));
    }
    return;
  }
  marks.push_back(Mark(ns, Kind::kAnybody));
}

void AddMarks(const kube::ObjectReference& object, std::string_view ns,
              std::vector<std::size_t>& marks) {
  if (!object.uid.empty()) {
    marks.push_back(Mark(ns, Kind::kUid, object.uid));
  } else if (!object.name.empty()) {
    marks.push_back(Mark(ns, Kind::kName, object.name));
  } else {
    marks.push_back(Mark(ns, Kind::kAnybody));
  }
}

std::vector<std::size_t> MarksOf(const kube::Reservation& object) {
  std::vector<std::size_t> marks;
  for (const kube::Reservation::Owner& owner : object.owners) {
    if (owner.label_selector) AddMarks(*owner.label_selector, object.meta.ns, marks);
    if (owner.object) AddMarks(*owner.object, object.meta.ns, marks);
  }
  std::ranges::sort(marks);
  const auto repeats = std::ranges::unique(marks);
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

void ReservationIndex::Add(ReservationRecord& record) {
  record.marks = MarksOf(*record.object);
  for (const std::size_t mark : record.marks) {
    std::vector<ReservationRecord*>& those = by_mark_[mark];
    those.insert(std::ranges::upper_bound(those, &record, Before), &record);
  }
  for (const std::size_t shape : record.quick_shapes) ++shapes_[ShapeMark(record.ns(), shape)];
}

void ReservationIndex::Remove(ReservationRecord& record) {
  for (const std::size_t mark : record.marks) {
    const auto it = by_mark_.find(mark);
    std::erase(it->second, &record);
    if (it->second.empty()) by_mark_.erase(it);
  }
  record.marks.clear();
  for (const std::size_t shape : record.quick_shapes) {
    const auto it = shapes_.find(ShapeMark(record.ns(), shape));
    if (--it->second == 0) shapes_.erase(it);
  }
}

bool ReservationIndex::HasShape(std::string_view ns, std::size_t quick_shape) const {
  return !shapes_.empty() && shapes_.contains(ShapeMark(ns, quick_shape));
}

void ReservationIndex::ForEachCandidate(const kube::Pod& pod, const kube::PodGroup* group,
                                        FunctionRef<bool(const ReservationRecord&)> fn) const {
  std::vector<std::span<ReservationRecord* const>> lists;  // each by age, none of them empty
  const auto add = [&](Kind kind, std::string_view a = {}, std::string_view b = {}) {
    const auto it = by_mark_.find(Mark(pod.meta.ns, kind, a, b));
    if (it != by_mark_.end()) lists.push_back(it->second);
  };
  const auto add_object = [&](std::string_view uid, std::string_view name) {
    add(Kind::kUid, uid);
    add(Kind::kName, name);
  };
  add(Kind::kAnybody);
  for (const auto& [key, value] : pod.meta.labels) add(Kind::kLabel, key, value);
  add_object(pod.meta.uid, pod.meta.name);
  for (const kube::OwnerReference& owner : pod.meta.owner_references) {
    add_object(owner.uid, owner.name);
  }
  if (group) add_object(group->meta.uid, group->meta.name);
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
