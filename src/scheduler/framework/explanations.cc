#include "scheduler/framework/explanations.h"

#include <algorithm>

namespace basalt::scheduler {
namespace {

constexpr Duration kOld = 10s;
constexpr std::size_t kMost = 4096;

}  // namespace

Explanations::Key Explanations::KeyOf(const Question& question) {
  return {(static_cast<std::uint64_t>(question.task_class->id) << 32) | question.queue,
          question.room_counts};
}

const FitFailure* Explanations::Find(const Question& question, Time now) const {
  const auto it = entries_.find(KeyOf(question));
  if (it == entries_.end()) return nullptr;
  const Entry& entry = it->second;
  const bool holds = entry.example == question.task_class->example &&
                     entry.objects == question.objects && now >= entry.from && now < entry.until;
  return holds ? &entry.failure : nullptr;
}

const FitFailure& Explanations::Keep(const Question& question, FitFailure failure, Time now,
                                     std::optional<Time> changes) {
  if (entries_.size() >= kMost) entries_.clear();
  Entry& entry = entries_[KeyOf(question)];
  const Time old = now + kOld;
  entry = {.example = question.task_class->example,
           .failure = std::move(failure),
           .from = now,
           .until = changes ? std::min(old, *changes) : old,
           .objects = question.objects};
  return entry.failure;
}

}  // namespace basalt::scheduler
