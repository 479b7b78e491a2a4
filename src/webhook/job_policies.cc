#include "webhook/job_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "kube/types/time.h"
#include "webhook/fields.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

constexpr auto kJobEvents =
    std::to_array<std::string_view>({"*", "PodFailed", "PodEvicted", "PodPending", "TaskCompleted",
                                     "TaskFailed", "Unknown", "JobUpdated"});
constexpr auto kJobActions = std::to_array<std::string_view>(
    {"AbortJob", "RestartJob", "RestartTask", "RestartPod", "RestartPartition", "TerminateJob",
     "CompleteJob", "ResumeJob"});

// The policies of one list, one after the other.
class PolicyRules {
 public:
  explicit PolicyRules(Review& review) : verdict_(review) {}

  void Check(const json::object& policy, const std::string& at) {
    const std::vector<std::string_view> events = EventsOf(policy);
    const bool has_code = Has(policy, "exitCode");
    if (!events.empty() && has_code) {
      verdict_.Refuse(at + ": event and exitCode exclude each other; make two policies of them");
    } else if (events.empty() && !has_code) {
      verdict_.Refuse(at + ": want event, events or exitCode");
    }
    for (const std::string_view event : events) CheckEvent(event, at);
    if (has_code) CheckCode(policy, at);
    const std::string_view action = TextAt(policy, "action");
    if (std::ranges::find(kJobActions, action) == kJobActions.end()) {
      verdict_.Refuse(
          fmt::format("{}.action: \"{}\": want {}", at, action, fmt::join(kJobActions, ", ")));
    }
    CheckTimeout(policy, at);
  }

  // `*` stands for all others.
  void CheckAll(const std::string& field) {
    if (events_.contains("*") && events_.size() > 1) {
      verdict_.Refuse(field + ": \"*\" stands for every event: there must be no other beside it");
    }
  }

 private:
  static std::vector<std::string_view> EventsOf(const json::object& policy) {
    std::vector<std::string_view> events;
    if (const std::string_view event = TextAt(policy, "event"); !event.empty()) {
      events.push_back(event);
    }
    for (const json::value& event : ListAt(policy, "events")) {
      if (event.is_string()) events.emplace_back(event.get_string());
    }
    return events;
  }

  void CheckEvent(std::string_view event, const std::string& at) {
    if (std::ranges::find(kJobEvents, event) == kJobEvents.end()) {
      verdict_.Refuse(
          fmt::format("{}.event: \"{}\": want {}", at, event, fmt::join(kJobEvents, ", ")));
    } else if (!events_.insert(event).second) {
      verdict_.Refuse(
          fmt::format("{}.event: \"{}\": another policy of the list is for it", at, event));
    }
  }

  void CheckCode(const json::object& policy, const std::string& at) {
    const auto code = NumberAt(policy, "exitCode");
    if (code.value_or(0) == 0) {
      verdict_.Refuse(at + ".exitCode: 0: is no failure; want another code");
    } else if (!codes_.insert(*code).second) {
      verdict_.Refuse(
          fmt::format("{}.exitCode: {}: another policy of the list is for it", at, *code));
    }
  }

  void CheckTimeout(const json::object& policy, const std::string& at) {
    const std::string_view timeout = TextAt(policy, "timeout");
    if (timeout.empty()) return;
    const auto duration = kube::ParseDuration(timeout);
    if (!duration || *duration < Duration(0)) {
      verdict_.Refuse(
          fmt::format("{}.timeout: \"{}\": want a duration such as 90s or 10m", at, timeout));
    }
  }

  Review& verdict_;
  std::set<std::string_view> events_;
  std::set<std::int64_t> codes_;
};

}  // namespace

void CheckJobPolicies(const json::object& owner, const std::string& field, Review& review) {
  PolicyRules rules(review);
  const json::array& policies = ListAt(owner, "policies");
  for (std::size_t i = 0; i < policies.size(); ++i) {
    rules.Check(AsObject(policies[i]), fmt::format("{}[{}]", field, i));
  }
  rules.CheckAll(field);
}

}  // namespace basalt::webhook
