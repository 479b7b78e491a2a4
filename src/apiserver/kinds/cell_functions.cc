// The cells of kubectl's tables that are more than a field.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/kube_time.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

using Texts = std::vector<std::string>;

json::value Joined(const Texts& texts, std::string_view separator) {
  return json::value(fmt::format("{}", fmt::join(texts, separator)));
}

// At most `most`, and how many more there are.
json::value Some(const Texts& texts, std::size_t most, std::string_view separator) {
  const std::size_t shown = std::min(texts.size(), most);
  std::string text = fmt::format("{}", fmt::join(texts.begin(), texts.begin() + shown, separator));
  if (texts.size() > most) text += fmt::format(" + {} more...", texts.size() - most);
  return json::value(text);
}

// "Deployment.apps/web", of a group that may be empty.
std::string Qualified(std::string_view kind, std::string_view group, std::string_view name) {
  return fmt::format("{}{}{}/{}", kind, group.empty() ? "" : ".", group, name);
}

// Of any kind

json::value NameCell(const CellInput& input) { return json::value(Name(input.object)); }
json::value AgeCell(const CellInput& input) { return json::value(Age(input.object, input.now)); }

json::value SinceCell(const CellInput& input) {
  return json::value(input.Text().empty() ? "" : Since(input.Text(), input.now));
}

json::value TextCell(const CellInput& input) {
  const json::value* value = input.arguments[0];
  if (value == nullptr || value->is_string()) return json::value(input.Text());
  return json::value(std::to_string(value->is_int64() ? value->get_int64() : 0));
}

json::value CapitalCell(const CellInput& input) {
  return input.arguments[0] != nullptr && *input.arguments[0] == true ? "True" : "False";
}

json::value CountCell(const CellInput& input) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < input.arguments.size(); ++i) {
    const json::object* map = input.Object(i);
    count += input.List(i).size() + (map == nullptr ? 0 : map->size());
  }
  return static_cast<std::int64_t>(count);
}

json::value JoinCell(const CellInput& input) {
  Texts texts;
  for (const json::value& item : input.List()) {
    const bool field = input.arguments.size() > 1;
    texts.emplace_back(field ? GetString(AsObject(item), {input.Text(1)}) : AsText(item));
  }
  return Joined(texts, ",");
}

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
      GetString(input.object, {"metadata", "annotations", input.Text()}) == "true";
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

json::value NodeAddressCell(const CellInput& input) {
  for (const json::value& item : ListAt(input.object, {"status", "addresses"})) {
    const json::object& address = AsObject(item);
    if (GetString(address, {"type"}) == input.Text()) {
      return json::value(GetString(address, {"address"}));
    }
  }
  return "";
}

// Volumes and quotas

// "RWO,ROX" of a list of access modes, each once.
json::value ModesCell(const CellInput& input) {
  constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
      {"ReadWriteOnce", "RWO"},
      {"ReadOnlyMany", "ROX"},
      {"ReadWriteMany", "RWX"},
      {"ReadWriteOncePod", "RWOP"}};
  const json::array& modes = input.List();
  Texts texts;
  for (const auto& [mode, letters] : kLetters) {
    if (std::ranges::find(modes, json::value(mode)) != modes.end()) texts.emplace_back(letters);
  }
  return Joined(texts, ",");
}

bool HasVolume(const CellInput& input) {
  return !GetString(input.object, {"spec", "volumeName"}).empty();
}
json::value ClaimCapacityCell(const CellInput& input) {
  return HasVolume(input) ? json::value(input.Text()) : json::value("");
}
json::value ClaimModesCell(const CellInput& input) {
  return HasVolume(input) ? ModesCell(input) : json::value("");
}

json::value VolumeClaimCell(const CellInput& input) {
  const json::object* claim = input.Object();
  if (claim == nullptr) return "";
  return json::value(
      fmt::format("{}/{}", GetString(*claim, {"namespace"}), GetString(*claim, {"name"})));
}

// "cpu: 1/4, pods: 2/10", of what is limited ("limits") or of all else ("requests").
json::value QuotaCell(const CellInput& input) {
  const json::object& status = ObjectOf(input.object, "status");
  std::map<std::string_view, std::string> parts;
  for (const auto& [key, amount] : ObjectOf(status, "hard")) {
    const std::string_view name = key;
    if (name.starts_with("limits.") != (input.Text() == "limits")) continue;
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

json::value RevisionOwnerCell(const CellInput& input) {
  for (const json::value& item : ListAt(input.object, {"metadata", "ownerReferences"})) {
    const json::object& owner = AsObject(item);
    if (!GetBool(owner, {"controller"})) continue;
    const std::string_view version = GetString(owner, {"apiVersion"});
    const std::size_t slash = version.find('/');
    return json::value(Qualified(ToLower(GetString(owner, {"kind"})),
                                 slash == version.npos ? "" : version.substr(0, slash),
                                 GetString(owner, {"name"})));
  }
  return "";
}

std::string MetricText(const json::object& metric) {
  const std::string_view type = GetString(metric, {"type"});
  std::string source(type);
  if (!source.empty()) source[0] = static_cast<char>(source[0] | 0x20);
  const json::object& target = ObjectOf(ObjectOf(metric, source), "target");
  const std::string_view average = GetString(target, {"averageValue"});
  if (type == "Resource" || type == "ContainerResource") {
    const std::string_view name = GetString(ObjectOf(metric, source), {"name"});
    if (!average.empty()) return fmt::format("{}: <unknown>/{}", name, average);
    return fmt::format("{}: <unknown>/{}%", name, GetInt(target, {"averageUtilization"}));
  }
  if (average.empty()) return fmt::format("<unknown>/{}", GetString(target, {"value"}));
  return fmt::format("<unknown>/{}{}", average, type == "Pods" ? "" : " (avg)");
}

json::value MetricsCell(const CellInput& input) {
  Texts texts;
  for (const json::value& metric : input.List()) texts.push_back(MetricText(AsObject(metric)));
  return Some(texts, 2, ", ");
}

// The network

json::value ServicePortsCell(const CellInput& input) {
  Texts texts;
  for (const json::value& item : input.List()) {
    const json::object& port = AsObject(item);
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
  if (!input.List().empty()) return JoinCell(input);
  return type == "LoadBalancer" ? "<pending>" : "<none>";
}

json::value EndpointsCell(const CellInput& input) {
  Texts texts;
  for (const json::value& item : input.List()) {
    const json::object& subset = AsObject(item);
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

json::value SlicePortsCell(const CellInput& input) {
  Texts texts;
  for (const json::value& item : input.List()) {
    const json::object& port = AsObject(item);
    const bool named = Find(port, {"name"}) != nullptr;
    texts.push_back(Find(port, {"port"}) != nullptr ? std::to_string(GetInt(port, {"port"}))
                    : named                         ? std::string(GetString(port, {"name"}))
                                                    : "*");
  }
  return Some(texts, 3, ",");
}

json::value SliceAddressesCell(const CellInput& input) {
  Texts texts;
  for (const json::value& endpoint : input.List()) {
    for (const json::value& address : ListOf(AsObject(endpoint), "addresses")) {
      texts.emplace_back(AsText(address));
    }
  }
  return Some(texts, 3, ",");
}

json::value IngressHostsCell(const CellInput& input) {
  Texts texts;
  for (const json::value& rule : input.List()) {
    const std::string_view host = GetString(AsObject(rule), {"host"});
    if (!host.empty()) texts.emplace_back(host);
  }
  return Some(texts, 3, ",");
}

json::value IngressAddressesCell(const CellInput& input) {
  Texts texts;
  for (const json::value& item : input.List()) {
    const std::string_view ip = GetString(AsObject(item), {"ip"});
    texts.emplace_back(ip.empty() ? GetString(AsObject(item), {"hostname"}) : ip);
  }
  std::ranges::sort(texts);
  return Joined(texts, ",");
}

json::value IngressPortsCell(const CellInput& input) {
  return input.List().empty() ? "80" : "80, 443";
}

json::value ClassParametersCell(const CellInput& input) {
  const json::object* given = input.Object();
  if (given == nullptr) return "";
  return json::value(Qualified(GetString(*given, {"kind"}), GetString(*given, {"apiGroup"}),
                               GetString(*given, {"name"})));
}

// Who a role is bound to, of one kind of subject.
json::value SubjectsCell(const CellInput& input) {
  Texts texts;
  for (const json::value& item : input.List()) {
    const json::object& subject = AsObject(item);
    if (GetString(subject, {"kind"}) != input.Text(1)) continue;
    const std::string_view ns = GetString(subject, {"namespace"});
    const std::string_view name = GetString(subject, {"name"});
    texts.push_back(ns.empty() ? std::string(name) : fmt::format("{}/{}", ns, name));
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
    {"selector", SelectorCell},
    {"labels", LabelsCell},
    {"phase", PhaseCell},
    {"defaultName", DefaultNameCell},
    {"nodeStatus", NodeStatusCell},
    {"nodeRoles", NodeRolesCell},
    {"nodeAddress", NodeAddressCell},
    {"modes", ModesCell},
    {"claimCapacity", ClaimCapacityCell},
    {"claimModes", ClaimModesCell},
    {"volumeClaim", VolumeClaimCell},
    {"quota", QuotaCell},
    {"jobStatus", JobStatusCell},
    {"jobCompletions", JobCompletionsCell},
    {"jobDuration", JobDurationCell},
    {"revisionOwner", RevisionOwnerCell},
    {"metrics", MetricsCell},
    {"servicePorts", ServicePortsCell},
    {"serviceAddresses", ServiceAddressesCell},
    {"endpoints", EndpointsCell},
    {"slicePorts", SlicePortsCell},
    {"sliceAddresses", SliceAddressesCell},
    {"ingressHosts", IngressHostsCell},
    {"ingressAddresses", IngressAddressesCell},
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
