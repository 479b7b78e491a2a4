#pragma once

#include <string_view>

#include "model/queue.h"

namespace basalt::scheduler {

// Whether something may be scheduled, as a policy sees it: data, not an error. The views point to
// text that outlives the session: a literal, or a string of the PluginSet's Reasons.
struct [[nodiscard]] Verdict {
  // Volcano's and kube-scheduler's codes, those that make a difference.
  enum class Code : unsigned char {
    kOk,
    kUnschedulable,  // evicting others may help
    kUnresolvable,   // evicting others cannot help
    kUnsupported,    // nor can any node: the pod itself would have to be another
  };
  Code code = Code::kOk;
  std::string_view reason;
  // The queue whose limit is the reason, where it is one: room there, or another limit, is what
  // helps and nothing else.
  model::Shortfall shortfall = {};

  bool ok() const { return code == Code::kOk; }
  static Verdict Ok() { return {}; }
  static Verdict Unschedulable(std::string_view reason) { return {Code::kUnschedulable, reason}; }
  static Verdict QueueFull(std::string_view reason, const model::Shortfall& shortfall) {
    return {Code::kUnschedulable, reason, shortfall};
  }
  static Verdict Unresolvable(std::string_view reason) { return {Code::kUnresolvable, reason}; }
  static Verdict Unsupported(std::string_view reason) { return {Code::kUnsupported, reason}; }
  bool operator==(const Verdict&) const = default;
};

}  // namespace basalt::scheduler
