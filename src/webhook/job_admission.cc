#include "webhook/job_admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kube/types/names.h"
#include "webhook/cycle_check.h"
#include "webhook/fields.h"
#include "webhook/job_defaults.h"
#include "webhook/job_policies.h"
#include "webhook/pod_template_rules.h"
#include "webhook/queue_reference.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostNameLength = 63;
constexpr auto kTopologyPolicies =
    std::to_array<std::string_view>({"", "none", "best-effort", "restricted", "single-numa-node"});

// A whole number, as messages show it.
std::string Shown(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? std::string("nothing") : json::serialize(*value);
}

class JobRules {
 public:
  // `job_exists`: the controller may have written the names of the claims that it has made beside
  // what they were made from.
  JobRules(const json::object& spec, std::string field, std::string_view job_name, bool job_exists,
           Review& review)
      : spec_(spec),
        field_(std::move(field)),
        job_name_(job_name),
        job_exists_(job_exists),
        verdict_(review) {}

  void Check() {
    CheckNumbers();
    CheckTasks();
    CheckJobPolicies(spec_, field_ + ".policies", verdict_);
    CheckVolumes();
    CheckPlugins();
    CheckDependencies();
    CheckTopology(ObjectAt(spec_, "networkTopology"), field_ + ".networkTopology");
  }

 private:
  void Refuse(std::string problem) { verdict_.Refuse(std::move(problem)); }

  void NotNegative(const json::object& object, std::string_view key, const std::string& at) {
    if (NumberAt(object, key).value_or(0) < 0) {
      Refuse(fmt::format("{}.{}: {}: must not be negative", at, key, Shown(object, key)));
    }
  }

  void CheckNumbers() {
    for (const char* key : {"minAvailable", "maxRetry", "ttlSecondsAfterFinished"}) {
      NotNegative(spec_, key, field_);
    }
    if (Has(spec_, "minSuccess") && NumberAt(spec_, "minSuccess").value_or(0) < 1) {
      Refuse(
          fmt::format("{}.minSuccess: {}: must be at least 1", field_, Shown(spec_, "minSuccess")));
    }
  }

  void CheckTasks() {
    const json::array& tasks = ListAt(spec_, "tasks");
    if (tasks.empty()) Refuse(field_ + ".tasks: at least one is needed");
    if (!job_name_.empty()) CheckName(std::string(job_name_), "metadata.name");
    std::set<std::string_view> names;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const json::object& task = AsObject(tasks[i]);
      const std::string at = fmt::format("{}.tasks[{}]", field_, i);
      const std::string_view name = TextAt(task, "name");
      for (const std::string& problem : kube::Dns1123LabelProblems(name)) {
        Refuse(fmt::format("{}.name: \"{}\": {}", at, name, problem));
      }
      if (!names.insert(name).second) {
        Refuse(fmt::format("{}.name: \"{}\": another task has this name", at, name));
      }
      total += CheckTaskNumbers(task, at);
      CheckPodName(task, at);
      CheckJobPolicies(task, at + ".policies", verdict_);
      CheckPartitions(task, at);
      CheckNuma(task, at);
      CheckPodTemplate(ObjectAt(task, "template"), at + ".template", verdict_);
    }
    const std::int64_t least = NumberAt(spec_, "minAvailable").value_or(0);
    if (least > total) {
      Refuse(fmt::format("{}.minAvailable: {}: must not exceed the {} replicas of all tasks",
                         field_, least, total));
    }
  }

  // The replicas.
  std::int64_t CheckTaskNumbers(const json::object& task, const std::string& at) {
    for (const char* key : {"replicas", "minAvailable", "maxRetry"}) NotNegative(task, key, at);
    const std::int64_t replicas = NumberAt(task, "replicas").value_or(0);
    const std::int64_t least = NumberAt(task, "minAvailable").value_or(0);
    if (replicas >= 0 && least > replicas) {
      Refuse(fmt::format("{}.minAvailable: {}: must not exceed its replicas, which are {}", at,
                         least, replicas));
    }
    return std::clamp<std::int64_t>(replicas, 0, 1'000'000'000);
  }

  void CheckName(const std::string& name, const std::string& at) {
    if (name.size() > kMostNameLength) {
      Refuse(fmt::format("{}: \"{}\" has {} characters; at most {} are allowed", at, name,
                         name.size(), kMostNameLength));
    } else if (const auto problems = kube::LabelKeyProblems(name); !problems.empty()) {
      Refuse(fmt::format("{}: \"{}\": {}", at, name, problems.front()));
    }
  }

  // The longest is that with the highest number.
  void CheckPodName(const json::object& task, const std::string& at) {
    if (job_name_.empty() || job_name_.size() > kMostNameLength) return;
    const std::int64_t last = std::max<std::int64_t>(NumberAt(task, "replicas").value_or(0) - 1, 0);
    const std::string name = fmt::format("{}-{}-{}", job_name_, TextAt(task, "name"), last);
    if (name.size() > kMostNameLength) {
      Refuse(fmt::format(
          "{}.name: its pods' names, such as \"{}\", have more than {} characters; choose a "
          "shorter name for the task or the job",
          at, name, kMostNameLength));
    }
  }

  void CheckPartitions(const json::object& task, const std::string& at) {
    if (!Has(task, "partitionPolicy")) return;
    const json::object& policy = ObjectAt(task, "partitionPolicy");
    const std::string field = at + ".partitionPolicy";
    bool sound = true;
    for (const char* key : {"totalPartitions", "partitionSize"}) {
      const std::int64_t number = NumberAt(policy, key).value_or(0);
      if (number >= 1 && number <= 1'000'000'000) continue;
      Refuse(fmt::format("{}.{}: {}: must be at least 1", field, key, Shown(policy, key)));
      sound = false;
    }
    NotNegative(policy, "minPartitions", field);
    CheckTopology(ObjectAt(policy, "networkTopology"), field + ".networkTopology");
    if (!sound) return;
    const std::int64_t size = *NumberAt(policy, "partitionSize");
    const std::int64_t partitions = *NumberAt(policy, "totalPartitions");
    const std::int64_t replicas = NumberAt(task, "replicas").value_or(0);
    if (replicas != partitions * size) {
      Refuse(fmt::format("{}.replicas: {}: must be totalPartitions × partitionSize, which is {}",
                         at, replicas, partitions * size));
    }
    const std::int64_t least = NumberAt(policy, "minPartitions").value_or(0);
    const std::int64_t minimum = NumberAt(task, "minAvailable").value_or(0);
    if (least > 0 && least <= 1'000'000'000 && minimum != least * size) {
      Refuse(fmt::format("{}.minAvailable: {}: must be minPartitions × partitionSize, which is {}",
                         at, minimum, least * size));
    }
  }

  void CheckNuma(const json::object& task, const std::string& at) {
    const std::string_view policy = TextAt(task, "topologyPolicy");
    if (std::ranges::find(kTopologyPolicies, policy) == kTopologyPolicies.end()) {
      Refuse(fmt::format(
          "{}.topologyPolicy: \"{}\": want none, best-effort, restricted or single-numa-node", at,
          policy));
      return;
    }
    if (policy.empty() || policy == "none") return;
    const json::array& containers =
        ListAt(ObjectAt(ObjectAt(task, "template"), "spec"), "containers");
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const json::object& resources = ObjectAt(AsObject(containers[i]), "resources");
      const char* kind = ObjectAt(resources, "requests").contains("cpu") ? "requests" : "limits";
      const std::string shown = Shown(ObjectAt(resources, kind), "cpu");
      if (!IsWholePositive(ObjectAt(resources, kind), "cpu")) {
        Refuse(fmt::format(
            "{}.template.spec.containers[{}].resources.{}.cpu: {}: topologyPolicy {} needs a whole "
            "number of CPUs",
            at, i, kind, shown, policy));
      }
    }
  }

  void CheckVolumes() {
    const json::array& volumes = ListAt(spec_, "volumes");
    std::set<std::string_view> paths;
    for (std::size_t i = 0; i < volumes.size(); ++i) {
      const json::object& volume = AsObject(volumes[i]);
      const std::string at = fmt::format("{}.volumes[{}]", field_, i);
      const std::string_view path = TextAt(volume, "mountPath");
      if (path.empty()) {
        Refuse(at + ".mountPath: missing");
      } else if (path.contains(':')) {
        Refuse(fmt::format("{}.mountPath: \"{}\": must not contain ':'", at, path));
      } else if (!paths.insert(path).second) {
        Refuse(fmt::format("{}.mountPath: \"{}\": another volume has this path", at, path));
      }
      const std::string_view name = TextAt(volume, "volumeClaimName");
      const bool claim = Has(volume, "volumeClaim");
      if (name.empty() && !claim) {
        Refuse(at + ": want volumeClaimName or volumeClaim");
      } else if (!name.empty() && claim && !job_exists_) {
        Refuse(fmt::format("{}.volumeClaimName: \"{}\": and volumeClaim exclude each other", at,
                           name));
      }
      if (name.empty()) continue;
      for (const std::string& problem : kube::Dns1123SubdomainProblems(name)) {
        Refuse(fmt::format("{}.volumeClaimName: \"{}\": {}", at, name, problem));
      }
    }
  }

  bool HasTask(std::string_view name) const {
    return std::ranges::any_of(ListAt(spec_, "tasks"), [&](const json::value& task) {
      return TextAt(AsObject(task), "name") == name;
    });
  }

  // The value of --NAME in a plugin's arguments, in any of the forms that flags have.
  static std::string Argument(const json::object& plugins, std::string_view plugin,
                              std::string_view flag, std::string_view otherwise) {
    const json::array& arguments = ListAt(plugins, plugin);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].is_string()) continue;
      std::string_view text = arguments[i].get_string();
      if (!text.starts_with('-')) continue;
      text.remove_prefix(text.starts_with("--") ? 2 : 1);
      if (text.starts_with(flag) && text.substr(flag.size()).starts_with('=')) {
        return std::string(text.substr(flag.size() + 1));
      }
      if (text == flag && i + 1 < arguments.size() && arguments[i + 1].is_string()) {
        return std::string(arguments[i + 1].get_string());
      }
    }
    return std::string(otherwise);
  }

  void CheckPlugins() {
    const json::object& plugins = ObjectAt(spec_, "plugins");
    for (const auto& plugin : plugins) {
      if (IsJobPlugin(plugin.key())) continue;
      Refuse(fmt::format(
          "{}.plugins: \"{}\": there is no such plugin; want env, svc, ssh, pytorch, tensorflow, "
          "mpi, ray or hcclrank",
          field_, std::string_view(plugin.key())));
    }
    if (!plugins.contains("mpi")) return;
    const std::string master = Argument(plugins, "mpi", "master", "master");
    if (!HasTask(master)) {
      Refuse(
          fmt::format("{}.plugins.mpi: there is no task \"{}\" to be its master", field_, master));
    }
  }

  void CheckDependencies() {
    std::map<std::string, std::vector<std::string>> needs;
    const json::array& tasks = ListAt(spec_, "tasks");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const json::object& task = AsObject(tasks[i]);
      const std::string at = fmt::format("{}.tasks[{}].dependsOn", field_, i);
      const json::object& depends = ObjectAt(task, "dependsOn");
      const std::string_view iteration = TextAt(depends, "iteration");
      if (!iteration.empty() && iteration != "any" && iteration != "all") {
        Refuse(fmt::format("{}.iteration: \"{}\": want any or all", at, iteration));
      }
      for (const json::value& name : ListAt(depends, "name")) {
        if (!name.is_string()) continue;
        const std::string target(name.get_string());
        needs[std::string(TextAt(task, "name"))].push_back(target);
        if (!HasTask(target)) {
          Refuse(fmt::format("{}.name: \"{}\": there is no such task", at, target));
        }
      }
    }
    if (const std::string circle = FindCycle(needs); !circle.empty()) {
      Refuse(fmt::format("{}.tasks: dependsOn goes in a circle: {}", field_, circle));
    }
  }

  void CheckTopology(const json::object& topology, const std::string& at) {
    if (topology.empty()) return;
    const std::string_view mode = TextAt(topology, "mode");
    if (!mode.empty() && mode != "hard" && mode != "soft") {
      Refuse(fmt::format("{}.mode: \"{}\": want hard or soft", at, mode));
    }
    if (Has(topology, "highestTierAllowed") && !TextAt(topology, "highestTierName").empty()) {
      Refuse(at + ": highestTierAllowed and highestTierName exclude each other; remove one");
    }
  }

  const json::object& spec_;
  const std::string field_;
  const std::string_view job_name_;
  const bool job_exists_;
  Review& verdict_;
};

void CheckQueue(std::string_view queue, const Snapshot& snapshot, Review& review) {
  if (queue == kRootQueue) {
    review.Refuse("spec.queue: \"root\" takes no jobs; choose a queue below it");
    return;
  }
  CheckQueueIsOpen(queue, "spec.queue", snapshot, review);
  if (const auto children = snapshot.Children(queue); !children.empty()) {
    review.doubtful = true;
    review.Refuse(
        fmt::format("spec.queue: \"{}\" has queues below it (such as \"{}\") and takes no jobs of "
                    "its own; choose one of those",
                    queue, children.front()->meta.name));
  }
}

// Without what may change, and without nulls, which are as if they were not there.
json::value Comparable(const json::value& value) {
  if (const json::object* object = value.if_object()) {
    json::object kept;
    for (const auto& [key, part] : *object) {
      if (!part.is_null()) kept[key] = Comparable(part);
    }
    return kept;
  }
  if (const json::array* array = value.if_array()) {
    json::array kept;
    for (const json::value& part : *array) kept.push_back(Comparable(part));
    return kept;
  }
  return value;
}

class JobUpdate {
 public:
  explicit JobUpdate(Review& review) : verdict_(review) {}

  void Check(json::object now, json::object old) {
    for (const char* key : {"minAvailable", "priorityClassName"}) {
      now.erase(key);
      old.erase(key);
    }
    const json::array tasks = ListAt(now, "tasks"), old_tasks = ListAt(old, "tasks");
    const json::array volumes = ListAt(now, "volumes"), old_volumes = ListAt(old, "volumes");
    for (const char* key : {"tasks", "volumes"}) {
      now.erase(key);
      old.erase(key);
    }
    Compare(now, old, "spec");
    CheckTasks(tasks, old_tasks);
    CheckVolumes(volumes, old_volumes);
  }

 private:
  void Refuse(const std::string& field) {
    verdict_.Refuse(fmt::format(
        "{}: cannot be changed; only minAvailable, priorityClassName, tasks[].replicas and "
        "tasks[].minAvailable can",
        field));
  }

  void Compare(const json::object& now, const json::object& old, const std::string& at) {
    std::set<std::string, std::less<>> keys;
    for (const auto& [key, value] : now) keys.emplace(key);
    for (const auto& [key, value] : old) keys.emplace(key);
    for (const std::string& key : keys) {
      const json::value* a = now.if_contains(key);
      const json::value* b = old.if_contains(key);
      const json::value none;
      if (Comparable(a ? *a : none) != Comparable(b ? *b : none)) Refuse(at + "." + key);
    }
  }

  void CheckTasks(const json::array& tasks, const json::array& old_tasks) {
    if (tasks.size() != old_tasks.size()) {
      verdict_.Refuse(fmt::format("spec.tasks: {} instead of {}: tasks cannot be added or removed",
                                  tasks.size(), old_tasks.size()));
      return;
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      json::object task = AsObject(tasks[i]), old = AsObject(old_tasks[i]);
      for (const char* key : {"replicas", "minAvailable"}) {
        task.erase(key);
        old.erase(key);
      }
      Compare(task, old, fmt::format("spec.tasks[{}]", i));
    }
  }

  // A claim that the controller has made gets its name.
  void CheckVolumes(const json::array& volumes, const json::array& old_volumes) {
    if (volumes.size() != old_volumes.size()) return Refuse("spec.volumes");
    for (std::size_t i = 0; i < volumes.size(); ++i) {
      json::object volume = AsObject(volumes[i]), old = AsObject(old_volumes[i]);
      if (TextAt(old, "volumeClaimName").empty() && Has(old, "volumeClaim")) {
        volume.erase("volumeClaimName");
        old.erase("volumeClaimName");
      }
      Compare(volume, old, fmt::format("spec.volumes[{}]", i));
    }
  }

  Review& verdict_;
};

}  // namespace

void CheckJobSpec(const json::object& spec, const std::string& field, std::string_view job_name,
                  Review& review) {
  // What a job will be, so that a number that was left out is not looked at as zero.
  const json::object whole = WithJobDefaults(spec, "", "volcano");
  JobRules(whole, field, job_name, false, review).Check();
}

Review MutateJob(const json::object& job, std::string_view ns, const Snapshot& snapshot,
                 const Policy& policy) {
  Review review;
  const json::object& spec = ObjectAt(job, "spec");
  if (spec.empty()) return review;  // nothing to fill in; the rules refuse it
  const std::string_view queue = ChooseQueue(TextAt(spec, "queue"), ns, snapshot, review);
  const std::string_view scheduler =
      policy.scheduler_names.empty() ? std::string_view("volcano") : policy.scheduler_names.front();
  for (JobDefault& field : MissingInJob(spec, queue, scheduler)) {
    AddOperation(review.patch, "/spec" + field.path, std::move(field.value));
  }
  return review;
}

Review ValidateJob(const json::object& job, const json::object* old, const Snapshot& snapshot) {
  Review review;
  const json::object& spec = ObjectAt(job, "spec");
  if (old != nullptr) {
    const json::object& before = ObjectAt(*old, "spec");
    if (spec == before) return review;
    // What was left out and is filled in now is no change.
    const auto filled = [](const json::object& one) {
      return WithJobDefaults(one, TextAt(one, "queue").empty() ? kDefaultQueue : "", "volcano");
    };
    JobUpdate(review).Check(filled(spec), filled(before));
    if (!review.allowed()) return review;
  }
  const json::object whole = WithJobDefaults(spec, "", "volcano");
  JobRules(whole, "spec", TextAt(ObjectAt(job, "metadata"), "name"), old != nullptr, review)
      .Check();
  // A queue may close while it has jobs: those stay as they are.
  if (old == nullptr) {
    const std::string_view queue = TextAt(spec, "queue");
    CheckQueue(queue.empty() ? kDefaultQueue : queue, snapshot, review);
  }
  return review;
}

Review ValidateJobTemplate(const json::object& job_template) {
  Review review;
  CheckJobSpec(ObjectAt(job_template, "spec"), "spec", "", review);
  return review;
}

}  // namespace basalt::webhook
