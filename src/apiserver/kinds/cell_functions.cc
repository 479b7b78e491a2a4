// The cells of kubectl's tables that are more than a field.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

using Texts = std::vector<std::string>;

json::value Joined(const Texts& texts, std::string_view separator) {
  return json::value(fmt::format("{}", fmt::join(texts, separator)));
}

// At most so many, and how many more there are.
json::value Some(const Texts& texts, std::size_t most, std::string_view separator) {
  const std::size_t shown = std::min(texts.size(), most);
  std::string text = fmt::format("{}", fmt::join(texts.begin(), texts.begin() + shown, separator));
  if (texts.size() > most) text += fmt::format(" + {} more...", texts.size() - most);
  return json::value(text);
}

// Of any kind

json::value NameCell(const CellInput& input) { return json::value(Name(input.object)); }
json::value AgeCell(const CellInput& input) { return json::value(Age(input.object, input.now)); }

json::value SinceCell(const CellInput& input) {
  return json::value(input.Text().empty() ? "" : Since(input.Text(), input.now));
}

// Something else than text, as text.
json::value TextCell(const CellInput& input) {
  return json::value(input.values.empty() ? "" : TextOf(*input.values[0]));
}

json::value CapitalCell(const CellInput& input) {
  return !input.values.empty() && *input.values[0] == true ? "True" : "False";
}

json::value CountCell(const CellInput& input) {
  std::size_t count = 0;
  for (const json::value* value : input.values) {
    count += value->is_array() ? value->get_array().size() : AsObject(*value).size();
  }
  return static_cast<std::int64_t>(count);
}

Texts TextsOf(const CellInput& input) {
  Texts texts;
  for (const json::value* value : input.values) {
    if (std::string text = TextOf(*value); !text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}
json::value JoinCell(const CellInput& input) { return Joined(TextsOf(input), ","); }
json::value SlashCell(const CellInput& input) { return Joined(TextsOf(input), "/"); }
json::value SomeCell(const CellInput& input) { return Some(TextsOf(input), 3, ","); }

json::value SelectorCell(const CellInput& input) {
  return json::value(SelectorText(input.Object()));
}
json::value LabelsCell(const CellInput& input) { return json::value(LabelsText(input.Object())); }

json::value PhaseCell(const CellInput& input) {
  return IsBeingDeleted(input.object) ? json::value("Terminating")
                                      : json::value(GetString(input.object, {"status", "phase"}));
}

// The name, and whether an annotation makes the object its kind's default.
json::value DefaultNameCell(const CellInput& input) {
  const bool is_default =
      GetString(input.object, {"metadata", "annotations", input.word}) == "true";
  return json::value(fmt::format("{}{}", Name(input.object), is_default ? " (default)" : ""));
}

// Nodes

json::value NodeStatusCell(const CellInput& input) {
  std::string text = "Unknown";
  for (const json::value& item : ListAt(input.object, {"status", "conditions"})) {
    const json::object& condition = AsObject(item);
    if (GetString(condition, {"type"}) != "Ready") continue;
    text = GetString(condition, {"status"}) == "True" ? "Ready" : "NotReady";
  }
  if (GetBool(input.object, {"spec", "unschedulable"})) text += ",SchedulingDisabled";
  return json::value(text);
}

json::value NodeRolesCell(const CellInput& input) {
  constexpr std::string_view kRolePrefix = "node-role.kubernetes.io/";
  std::set<std::string_view> roles;
  for (const auto& [label, value] : ObjectOf(ObjectOf(input.object, "metadata"), "labels")) {
    const std::string_view key = label;
    if (key.starts_with(kRolePrefix)) roles.insert(key.substr(kRolePrefix.size()));
    if (key == "kubernetes.io/role") roles.insert(AsText(value));
  }
  roles.erase("");
  return json::value(fmt::format("{}", fmt::join(roles, ",")));
}

// Volumes and quotas

// "RWO,ROX" of a list of access modes, each once.
json::value ModesCell(const CellInput& input) {
  constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
      {"ReadWriteOnce", "RWO"},
      {"ReadOnlyMany", "ROX"},
      {"ReadWriteMany", "RWX"},
      {"ReadWriteOncePod", "RWOP"}};
  Texts texts;
  for (const auto& [mode, letters] : kLetters) {
    const auto is_it = [&mode](const json::value* value) { return AsText(*value) == mode; };
    if (std::ranges::any_of(input.values, is_it)) texts.emplace_back(letters);
  }
  return Joined(texts, ",");
}

// "cpu: 1/4, pods: 2/10", of what is limited ("limits") or of all else ("requests").
json::value QuotaCell(const CellInput& input) {
  const json::object& status = ObjectOf(input.object, "status");
  std::map<std::string_view, std::string> parts;
  for (const auto& [key, amount] : ObjectOf(status, "hard")) {
    const std::string_view name = key;
    if (name.starts_with("limits.") != (input.word == "limits")) continue;
    const std::string_view used = GetString(ObjectOf(status, "used"), {name});
    parts[name] = fmt::format("{}: {}/{}", name, used.empty() ? "0" : used, AsText(amount));
  }
  Texts texts;
  for (const auto& [name, text] : parts) texts.push_back(text);
  return Joined(texts, ", ");
}

// Workloads

json::value JobStatusCell(const CellInput& input) {
  for (const std::string_view ended : {"Complete", "Failed"}) {
    if (HasCondition(input.object, ended)) return json::value(ended);
  }
  if (IsBeingDeleted(input.object)) return "Terminating";
  for (const std::string_view state : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (HasCondition(input.object, state)) return json::value(state);
  }
  return "Running";
}

json::value JobCompletionsCell(const CellInput& input) {
  const std::int64_t succeeded = GetInt(input.object, {"status", "succeeded"});
  if (Find(input.object, {"spec", "completions"}) != nullptr) {
    return json::value(
        fmt::format("{}/{}", succeeded, GetInt(input.object, {"spec", "completions"})));
  }
  const std::int64_t parallelism = GetInt(input.object, {"spec", "parallelism"});
  return json::value(parallelism > 1 ? fmt::format("{}/1 of {}", succeeded, parallelism)
                                     : fmt::format("{}/1", succeeded));
}

json::value JobDurationCell(const CellInput& input) {
  const Result<Time> start = kube::ParseTime(GetString(input.object, {"status", "startTime"}));
  if (!start) return "";
  const Result<Time> end = kube::ParseTime(GetString(input.object, {"status", "completionTime"}));
  return json::value(HumanDuration(Between(*start, end ? *end : input.now)));
}

// "Deployment.apps/web", of a group that may be empty.
json::value Qualified(std::string_view kind, std::string_view group, std::string_view name) {
  return json::value(fmt::format("{}{}{}/{}", kind, group.empty() ? "" : ".", group, name));
}

json::value RevisionOwnerCell(const CellInput& input) {
  const json::object* owner = input.Object();
  if (owner == nullptr) return "";
  const std::string_view version = GetString(*owner, {"apiVersion"});
  const std::size_t slash = version.find('/');
  return Qualified(ToLower(GetString(*owner, {"kind"})),
                   version.substr(0, slash == version.npos ? 0 : slash),
                   GetString(*owner, {"name"}));
}

json::value ClassParametersCell(const CellInput& input) {
  const json::object* given = input.Object();
  if (given == nullptr) return "";
  return Qualified(GetString(*given, {"kind"}), GetString(*given, {"apiGroup"}),
                   GetString(*given, {"name"}));
}

// The target; the value is not measured here.
std::string MetricText(const json::object& metric) {
  const std::string_view type = GetString(metric, {"type"});
  std::string field(type);
  if (!field.empty()) field[0] = ToLower(field[0]);
  const json::object& source = ObjectOf(metric, field);
  const std::string_view average = GetString(source, {"target", "averageValue"});
  if (type == "Resource" || type == "ContainerResource") {
    const std::int64_t percent = GetInt(source, {"target", "averageUtilization"});
    return fmt::format("{}: <unknown>/{}", GetString(source, {"name"}),
                       average.empty() ? fmt::format("{}%", percent) : average);
  }
  if (average.empty()) return fmt::format("<unknown>/{}", GetString(source, {"target", "value"}));
  return fmt::format("<unknown>/{}{}", average, type == "Pods" ? "" : " (avg)");
}

json::value MetricsCell(const CellInput& input) {
  Texts texts;
  for (const json::value* metric : input.values) texts.push_back(MetricText(AsObject(*metric)));
  return Some(texts, 2, ", ");
}

// The network

json::value ServicePortsCell(const CellInput& input) {
  Texts texts;
  for (const json::value* item : input.values) {
    const json::object& port = AsObject(*item);
    const std::int64_t node_port = GetInt(port, {"nodePort"});
    texts.push_back(fmt::format("{}{}/{}", GetInt(port, {"port"}),
                                node_port == 0 ? "" : fmt::format(":{}", node_port),
                                GetString(port, {"protocol"})));
  }
  return Joined(texts, ",");
}

json::value ServiceAddressesCell(const CellInput& input) {
  const json::object& spec = ObjectOf(input.object, "spec");
  const std::string_view type = GetString(spec, {"type"});
  if (type == "ExternalName") return json::value(GetString(spec, {"externalName"}));
  if (!input.values.empty()) return JoinCell(input);
  return type == "LoadBalancer" ? "<pending>" : "<none>";
}

json::value EndpointsCell(const CellInput& input) {
  Texts texts;
  for (const json::value* item : input.values) {
    const json::object& subset = AsObject(*item);
    const json::array& ports = ListOf(subset, "ports");
    for (const json::value& address : ListOf(subset, "addresses")) {
      const std::string_view ip = GetString(AsObject(address), {"ip"});
      if (ports.empty()) texts.emplace_back(ip);
      for (const json::value& port : ports) {
        texts.push_back(fmt::format("{}:{}", ip, GetInt(AsObject(port), {"port"})));
      }
    }
  }
  return Some(texts, 3, ",");
}

json::value IngressPortsCell(const CellInput& input) {
  return input.values.empty() ? "80" : "80, 443";
}

// The subjects that a role is bound to.
json::value SubjectsCell(const CellInput& input) {
  Texts texts;
  for (const json::value* item : input.values) {
    const json::object& subject = AsObject(*item);
    const std::string_view ns = GetString(subject, {"namespace"});
    const std::string_view name = GetString(subject, {"name"});
    texts.push_back(fmt::format("{}{}{}", ns, ns.empty() ? "" : "/", name));
  }
  return Joined(texts, ", ");
}

struct NamedFunction {
  std::string_view name;
  CellFunction function;
};
constexpr NamedFunction kFunctions[] = {
    {"name", NameCell},
    {"age", AgeCell},
    {"since", SinceCell},
    {"text", TextCell},
    {"capital", CapitalCell},
    {"count", CountCell},
    {"join", JoinCell},
    {"slash", SlashCell},
    {"some", SomeCell},
    {"selector", SelectorCell},
    {"labels", LabelsCell},
    {"phase", PhaseCell},
    {"defaultName", DefaultNameCell},
    {"nodeStatus", NodeStatusCell},
    {"nodeRoles", NodeRolesCell},
    {"modes", ModesCell},
    {"quota", QuotaCell},
    {"jobStatus", JobStatusCell},
    {"jobCompletions", JobCompletionsCell},
    {"jobDuration", JobDurationCell},
    {"revisionOwner", RevisionOwnerCell},
    {"metrics", MetricsCell},
    {"servicePorts", ServicePortsCell},
    {"serviceAddresses", ServiceAddressesCell},
    {"endpoints", EndpointsCell},
    {"ingressPorts", IngressPortsCell},
    {"classParameters", ClassParametersCell},
    {"subjects", SubjectsCell},
};

}  // namespace

CellFunction FindCellFunction(std::string_view name) {
  const auto found = std::ranges::find(kFunctions, name, &NamedFunction::name);
  return found == std::end(kFunctions) ? nullptr : found->function;
}

}  // namespace basalt::apiserver
