#include "cli/job_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <map>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "cli/json_fields.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr std::int64_t kDefaultJobRetries = 3;

class JobExplainer {
 public:
  explicit JobExplainer(const JobFacts& facts)
      : facts_(facts),
        spec_(ObjectAt(facts.job, {"spec"})),
        status_(ObjectAt(facts.job, {"status"})),
        state_(ObjectAt(facts.job, {"status", "state"})) {}

  json::object Explain() {
    const json::object* meta = ObjectAt(facts_.job, {"metadata"});
    result_ = {
        {"kind", "Job"}, {"namespace", TextAt(meta, "namespace")}, {"name", TextAt(meta, "name")}};
    const std::string phase = TextAt(state_, "phase");
    if (phase == "Running") {
      Say("running", "Running",
          fmt::format("it runs: {} of {} pods do, {} are the least", Number("running"), Replicas(),
                      NumberAt(spec_, "minAvailable")));
    } else if (phase == "Completed") {
      Say("ended", "Completed",
          fmt::format("it has completed: {} pods succeeded", Number("succeeded")));
    } else if (phase == "Failed" || phase == "Terminated") {
      Ended(phase);
    } else if (phase == "Aborted") {
      Say("aborted", "Aborted", WithReason("somebody or a policy has suspended it"),
          "resume it: basalt job resume " + TextAt(meta, "name"));
    } else if (phase == "Restarting" || phase == "Aborting" || phase == "Completing" ||
               phase == "Terminating") {
      Say(ToLower(phase), phase,
          WithReason(fmt::format("its pods leave: {} are still terminating, {} run",
                                 Number("terminating"), Number("running"))));
    } else {
      Pending(phase);
    }
    return std::move(result_);
  }

 private:
  void Say(std::string_view stage, std::string_view reason, std::string message,
           std::string change = "") {
    result_["stage"] = stage;
    result_["reason"] = reason;
    result_["message"] = std::move(message);
    if (!change.empty()) result_["change"] = std::move(change);
  }

  std::int64_t Number(std::string_view key) const { return NumberAt(status_, key); }

  std::int64_t Replicas() const {
    std::int64_t all = 0;
    for (const json::value& task : ArrayAt(spec_, "tasks")) {
      all += NumberAt(task.if_object(), "replicas");
    }
    return all;
  }

  // What led to the phase, where the status says so.
  std::string WithReason(std::string message) const {
    for (const char* key : {"reason", "message"}) {
      const std::string text = TextAt(state_, key);
      if (!text.empty()) message += fmt::format("; {}", text);
    }
    return message;
  }

  void Ended(const std::string& phase) {
    std::int64_t most = NumberAt(spec_, "maxRetry");
    if (most == 0) most = kDefaultJobRetries;
    const std::int64_t retries = Number("retryCount");
    if (phase == "Failed" && retries >= most) {
      Say("ended", "RetriesUsedUp",
          WithReason(fmt::format("its retries are used up: it was started {} times, and maxRetry "
                                 "is {}",
                                 retries, most)),
          "look at its failed pods, then create it again, with a higher maxRetry if that helps");
    } else {
      Say("ended", phase,
          WithReason(fmt::format("it has ended: {} pods succeeded, {} failed", Number("succeeded"),
                                 Number("failed"))));
    }
  }

  void Pending(const std::string& phase) {
    if (phase.empty()) {
      return Say("controller", "NotSeen", "no controller has taken it up yet",
                 "start \"basalt controller\", or look at its logs");
    }
    if (QueueIsShut() || ClaimIsMissing()) return;
    if (facts_.pod_group.empty()) {
      return Say("controller", "NoPodGroup", "its PodGroup has not been made yet",
                 "look at the job's events and at the controller's logs");
    }
    const json::object* group_status = ObjectAt(facts_.pod_group, {"status"});
    const std::string group_phase = TextAt(group_status, "phase");
    if (group_phase.empty() || group_phase == "Pending") return FromGroup("enqueue");
    if (DependencyIsUnmet()) return;
    FromGroup("gang");
  }

  bool QueueIsShut() {
    const std::string name = QueueOf(facts_.job);
    if (!facts_.queue) return false;
    if (facts_.queue->empty()) {
      Say("queue", "QueueMissing", fmt::format("there is no queue \"{}\"", name),
          fmt::format("create it: basalt queue create --name {}", name));
      return true;
    }
    const std::string state = TextAt(ObjectAt(*facts_.queue, {"status"}), "state");
    if (state != "Closed" && state != "Closing") return false;
    Say("queue", "QueueClosed", fmt::format("queue \"{}\" is {} and admits nothing", name, state),
        fmt::format("open it: basalt queue operate --name {} --action open", name));
    return true;
  }

  bool ClaimIsMissing() {
    if (!facts_.claims) return false;
    for (const json::value& volume : ArrayAt(spec_, "volumes")) {
      const std::string claim = TextAt(volume.if_object(), "volumeClaimName");
      if (claim.empty() || facts_.claims->contains(claim)) continue;
      Say("volumes", "ClaimMissing",
          fmt::format("there is no PersistentVolumeClaim \"{}\", which it mounts at {}", claim,
                      TextAt(volume.if_object(), "mountPath")),
          "create the claim; the job waits for it");
      return true;
    }
    return false;
  }

  // Pods of the task that others may build on: running with all containers ready, or succeeded.
  std::int64_t Usable(std::string_view task) const {
    return std::ranges::count_if(facts_.pods, [&](const json::value& value) {
      const json::object* pod = value.if_object();
      if (pod == nullptr ||
          TextAt(ObjectAt(*pod, {"metadata", "labels"}), "volcano.sh/task-spec") != task) {
        return false;
      }
      const std::string phase = TextAt(ObjectAt(*pod, {"status"}), "phase");
      if (phase == "Succeeded") return true;
      const json::array& containers = ArrayAt(ObjectAt(*pod, {"status"}), "containerStatuses");
      return phase == "Running" && std::ranges::all_of(containers, [](const json::value& one) {
               const json::object* container = one.if_object();
               const json::value* ready = container ? container->if_contains("ready") : nullptr;
               return ready != nullptr && *ready == true;
             });
    });
  }

  bool DependencyIsUnmet() {
    std::map<std::string, std::int64_t> least;
    for (const json::value& one : ArrayAt(spec_, "tasks")) {
      const json::object* task = one.if_object();
      least[TextAt(task, "name")] = NumberAt(task, "minAvailable", NumberAt(task, "replicas"));
    }
    for (const json::value& one : ArrayAt(spec_, "tasks")) {
      const json::object* task = one.if_object();
      const json::object* depends = task ? ObjectAt(*task, {"dependsOn"}) : nullptr;
      std::vector<std::string> unmet;
      const json::array& targets = ArrayAt(depends, "name");
      for (const json::value& value : targets) {
        if (!value.is_string()) continue;
        const std::string target(value.get_string());
        const std::int64_t usable = Usable(target);
        if (usable < least[target]) {
          unmet.push_back(fmt::format("{} ({} of {} ready)", target, usable, least[target]));
        }
      }
      const bool any = TextAt(depends, "iteration") == "any" && targets.size() > 1;
      if (unmet.empty() || (any && unmet.size() < targets.size())) continue;
      Say("dependency", "DependencyUnmet",
          fmt::format("task {} waits for {}", TextAt(task, "name"), fmt::join(unmet, ", ")));
      return true;
    }
    return false;
  }

  // The scheduler knows best; else what it has written on the group.
  void FromGroup(std::string_view stage) {
    if (!facts_.scheduler_says.empty()) {
      for (const char* key : {"stage", "reason", "message", "nodes", "queue", "until", "change"}) {
        if (const json::value* value = facts_.scheduler_says.if_contains(key))
          result_[key] = *value;
      }
      return;
    }
    const json::object* last = nullptr;
    for (const json::value& one : ArrayAt(ObjectAt(facts_.pod_group, {"status"}), "conditions")) {
      const json::object* condition = one.if_object();
      if (TextAt(condition, "type") == "Unschedulable" && TextAt(condition, "status") == "True") {
        last = condition;
      }
    }
    if (last != nullptr) {
      Say(stage, TextAt(last, "reason"), TextAt(last, "message"));
    } else if (stage == "enqueue") {
      Say(stage, "NotAdmitted", "its PodGroup waits to be let into its queue");
    } else {
      Say(stage, "PodsPending",
          fmt::format("{} of its {} pods run, {} are the least", Number("running"), Replicas(),
                      NumberAt(spec_, "minAvailable")));
    }
  }

  const JobFacts& facts_;
  const json::object* spec_;
  const json::object* status_;
  const json::object* state_;
  json::object result_;
};

}  // namespace

std::string QueueOf(const json::object& job) {
  const std::string name = TextAt(ObjectAt(job, {"spec"}), "queue");
  return name.empty() ? "default" : name;
}

json::object ExplainJob(const JobFacts& facts) { return JobExplainer(facts).Explain(); }

}  // namespace basalt::cli
