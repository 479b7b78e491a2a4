// Kinds that are stored and served from their schema: defaults and a table's cells are all that is
// said of them here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kRbac = "rbac.authorization.k8s.io";

struct PlainKind {
  std::string_view type;
  BuiltinRules::Traits traits;
  void (*fill)(json::object& object) = nullptr;
  json::array (*cells)(const json::object& object, Time now) = nullptr;
};

// Any name that a path can hold: roles are called "system:node".
syntax::Complaints NameIsPathSegment(std::string_view name, bool /*prefix*/) {
  if (name == "." || name == "..") return {fmt::format("may not be '{}'", name)};
  if (name.find('/') != name.npos) return {"may not contain '/'"};
  if (name.find('%') != name.npos) return {"may not contain '%'"};
  return {};
}

// At most three, and how many more there are.
std::string ListText(const std::vector<std::string>& all, std::string_view otherwise) {
  constexpr std::size_t kMost = 3;
  if (all.empty()) return std::string(otherwise);
  std::string text =
      fmt::format("{}", fmt::join(all.begin(), all.begin() + std::min(all.size(), kMost), ","));
  if (all.size() > kMost) text += fmt::format(" + {} more...", all.size() - kMost);
  return text;
}

// Role bindings

void FillBinding(json::object& object) {
  SetDefault(Child(object, "roleRef"), "apiGroup", json::string(kRbac));
  if (GetString(object, {"roleRef", "apiGroup"}).empty()) {
    Child(object, "roleRef")["apiGroup"] = json::string(kRbac);
  }
  json::array* subjects = FindArray(object, {"subjects"});
  if (subjects == nullptr) return;
  for (json::value& item : *subjects) {
    json::object& subject = AsObject(item);
    const std::string_view kind = GetString(subject, {"kind"});
    if (kind == "User" || kind == "Group") SetDefault(subject, "apiGroup", json::string(kRbac));
  }
}

std::string SubjectsText(const json::object& binding, std::string_view kind) {
  std::vector<std::string> names;
  for (const json::value& item : ListOf(binding, "subjects")) {
    const json::object& subject = AsObject(item);
    if (GetString(subject, {"kind"}) != kind) continue;
    const std::string_view ns = GetString(subject, {"namespace"});
    const std::string_view name = GetString(subject, {"name"});
    names.push_back(ns.empty() ? std::string(name) : fmt::format("{}/{}", ns, name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

json::array BindingCells(const json::object& object, Time now) {
  return {json::string(Name(object)),
          json::string(fmt::format("{}/{}", GetString(object, {"roleRef", "kind"}),
                                   GetString(object, {"roleRef", "name"}))),
          json::string(Age(object, now)),
          json::string(SubjectsText(object, "User")),
          json::string(SubjectsText(object, "Group")),
          json::string(SubjectsText(object, "ServiceAccount"))};
}

// Ingress

json::array IngressCells(const json::object& object, Time now) {
  std::vector<std::string> hosts;
  for (const json::value& rule : ListOf(ObjectOf(object, "spec"), "rules")) {
    const std::string_view host = GetString(AsObject(rule), {"host"});
    if (!host.empty()) hosts.emplace_back(host);
  }
  std::vector<std::string> addresses;
  for (const json::value& item :
       ListOf(ObjectOf(ObjectOf(object, "status"), "loadBalancer"), "ingress")) {
    const std::string_view ip = GetString(AsObject(item), {"ip"});
    addresses.emplace_back(ip.empty() ? GetString(AsObject(item), {"hostname"}) : ip);
  }
  std::ranges::sort(addresses);
  return {json::string(Name(object)),
          json::string(OrNone(GetString(object, {"spec", "ingressClassName"}))),
          json::string(ListText(hosts, "*")),
          json::string(fmt::format("{}", fmt::join(addresses, ","))),
          ListOf(ObjectOf(object, "spec"), "tls").empty() ? "80" : "80, 443",
          json::string(Age(object, now))};
}

void FillIngressClass(json::object& object) {
  json::object* parameters = FindObject(object, {"spec", "parameters"});
  if (parameters != nullptr) SetDefault(*parameters, "scope", "Cluster");
}

json::array IngressClassCells(const json::object& object, Time now) {
  std::string name(Name(object));
  if (GetString(object, {"metadata", "annotations",
                         "ingressclass.kubernetes.io/is-default-class"}) == "true") {
    name += " (default)";
  }
  std::string parameters = "<none>";
  if (const json::object* given = FindObject(object, {"spec", "parameters"})) {
    const std::string_view group = GetString(*given, {"apiGroup"});
    parameters = fmt::format("{}{}{}/{}", GetString(*given, {"kind"}), group.empty() ? "" : ".",
                             group, GetString(*given, {"name"}));
  }
  return {json::string(name), json::string(GetString(object, {"spec", "controller"})),
          json::string(parameters), json::string(Age(object, now))};
}

// Autoscalers

void FillAutoscaler(json::object& object) {
  json::object& spec = Child(object, "spec");
  SetDefault(spec, "minReplicas", 1);
  if (ListOf(spec, "metrics").empty()) {
    spec["metrics"] = json::array{json::object{
        {"type", "Resource"},
        {"resource", json::object{{"name", "cpu"},
                                  {"target", json::object{{"type", "Utilization"},
                                                          {"averageUtilization", 80}}}}}}};
  }
}

std::string MetricText(const json::object& metric) {
  const std::string_view type = GetString(metric, {"type"});
  std::string source(type);
  if (!source.empty()) source[0] = static_cast<char>(source[0] | 0x20);
  const json::object& target = ObjectOf(ObjectOf(metric, source), "target");
  const bool of_resource = type == "Resource" || type == "ContainerResource";
  const std::string_view average = GetString(target, {"averageValue"});
  if (of_resource && average.empty()) {
    return fmt::format("{}: <unknown>/{}%", GetString(ObjectOf(metric, source), {"name"}),
                       GetInt(target, {"averageUtilization"}));
  }
  if (average.empty()) return fmt::format("<unknown>/{}", GetString(target, {"value"}));
  const std::string prefix =
      of_resource ? fmt::format("{}: ", GetString(ObjectOf(metric, source), {"name"})) : "";
  return fmt::format("{}<unknown>/{}{}", prefix, average,
                     of_resource || type == "Pods" ? "" : " (avg)");
}

json::array AutoscalerCells(const json::object& object, Time now) {
  constexpr std::size_t kMost = 2;
  const json::object& spec = ObjectOf(object, "spec");
  const json::array& metrics = ListOf(spec, "metrics");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(metrics.size(), kMost); ++i) {
    texts.push_back(MetricText(AsObject(metrics[i])));
  }
  std::string targets = OrNone(fmt::format("{}", fmt::join(texts, ", ")));
  if (metrics.size() > kMost) targets += fmt::format(" + {} more...", metrics.size() - kMost);
  const bool unset = Find(spec, {"minReplicas"}) == nullptr;
  return {json::string(Name(object)),
          json::string(fmt::format("{}/{}", GetString(spec, {"scaleTargetRef", "kind"}),
                                   GetString(spec, {"scaleTargetRef", "name"}))),
          json::string(targets),
          json::string(unset ? "<unset>" : std::to_string(GetInt(spec, {"minReplicas"}))),
          GetInt(spec, {"maxReplicas"}),
          GetInt(object, {"status", "currentReplicas"}),
          json::string(Age(object, now))};
}

// Endpoint slices

void FillSlice(json::object& object) {
  json::array* ports = FindArray(object, {"ports"});
  if (ports == nullptr) return;
  for (json::value& port : *ports) {
    SetDefault(AsObject(port), "name", "");
    SetDefault(AsObject(port), "protocol", "TCP");
  }
}

json::array SliceCells(const json::object& object, Time now) {
  std::vector<std::string> ports;
  for (const json::value& item : ListOf(object, "ports")) {
    const json::object& port = AsObject(item);
    const bool numbered = Find(port, {"port"}) != nullptr;
    const bool named = Find(port, {"name"}) != nullptr;
    ports.push_back(numbered ? std::to_string(GetInt(port, {"port"}))
                    : named  ? std::string(GetString(port, {"name"}))
                             : "*");
  }
  std::vector<std::string> addresses;
  for (const json::value& endpoint : ListOf(object, "endpoints")) {
    for (const json::value& address : ListOf(AsObject(endpoint), "addresses")) {
      addresses.emplace_back(AsText(address));
    }
  }
  return {json::string(Name(object)), json::string(GetString(object, {"addressType"})),
          json::string(ListText(ports, "<unset>")), json::string(ListText(addresses, "<unset>")),
          json::string(Age(object, now))};
}

// Pods' templates, and what runs them

void FillTemplate(json::object& owner) {
  if (json::object* pod = FindObject(owner, {"template"})) DefaultPodSpec(Child(*pod, "spec"));
}

json::array TemplateCells(const json::object& object, Time /*now*/) {
  const json::object& pod = ObjectOf(object, "template");
  const json::object& spec = ObjectOf(pod, "spec");
  return {json::string(Name(object)), json::string(ContainerNames(spec)),
          json::string(ContainerImages(spec)),
          json::string(LabelsText(FindObject(pod, {"metadata", "labels"})))};
}

void FillController(json::object& object) {
  json::object& spec = Child(object, "spec");
  SetDefault(spec, "replicas", 1);
  FillTemplate(spec);
  const json::object* labels = FindObject(spec, {"template", "metadata", "labels"});
  if (labels == nullptr) return;
  SetDefault(spec, "selector", *labels);
  SetDefault(Metadata(object), "labels", *labels);
}

json::array ControllerCells(const json::object& object, Time now) {
  const json::object& spec = ObjectOf(object, "spec");
  const json::object& pod_spec = ObjectOf(ObjectOf(spec, "template"), "spec");
  return {json::string(Name(object)),
          GetInt(spec, {"replicas"}),
          GetInt(object, {"status", "replicas"}),
          GetInt(object, {"status", "readyReplicas"}),
          json::string(Age(object, now)),
          json::string(ContainerNames(pod_spec)),
          json::string(ContainerImages(pod_spec)),
          json::string(LabelsText(FindObject(spec, {"selector"})))};
}

json::array RevisionCells(const json::object& object, Time now) {
  std::string controller = "<none>";
  for (const json::value& item : ListOf(ObjectOf(object, "metadata"), "ownerReferences")) {
    const json::object& owner = AsObject(item);
    if (!GetBool(owner, {"controller"})) continue;
    std::string kind(GetString(owner, {"kind"}));
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::string_view version = GetString(owner, {"apiVersion"});
    const std::size_t slash = version.find('/');
    const std::string_view group = slash == version.npos ? "" : version.substr(0, slash);
    controller =
        fmt::format("{}{}{}/{}", kind, group.empty() ? "" : ".", group, GetString(owner, {"name"}));
  }
  return {json::string(Name(object)), json::string(controller), GetInt(object, {"revision"}),
          json::string(Age(object, now))};
}

json::array RuntimeCells(const json::object& object, Time now) {
  return {json::string(Name(object)), json::string(GetString(object, {"handler"})),
          json::string(Age(object, now))};
}

const PlainKind kPlain[] = {
    {"rbac.Role", {.name_check = NameIsPathSegment}},
    {"rbac.ClusterRole", {.namespaced = false, .name_check = NameIsPathSegment}},
    {"rbac.RoleBinding", {.name_check = NameIsPathSegment}, FillBinding, BindingCells},
    {"rbac.ClusterRoleBinding",
     {.namespaced = false, .name_check = NameIsPathSegment},
     FillBinding,
     BindingCells},
    {"networking.Ingress", {.generation = true}, nullptr, IngressCells},
    {"networking.IngressClass",
     {.namespaced = false, .generation = true},
     FillIngressClass,
     IngressClassCells},
    {"autoscalingv2.HorizontalPodAutoscaler", {}, FillAutoscaler, AutoscalerCells},
    {"discovery.EndpointSlice", {.generation = true}, FillSlice, SliceCells},
    {"core.PodTemplate", {.generation = true}, FillTemplate, TemplateCells},
    {"core.ReplicationController", {.generation = true}, FillController, ControllerCells},
    {"apps.ControllerRevision", {}, nullptr, RevisionCells},
    {"node.RuntimeClass", {.namespaced = false}, nullptr, RuntimeCells},
};

class PlainRules final : public BuiltinRules {
 public:
  explicit PlainRules(const PlainKind& kind)
      : BuiltinRules(*FindBuiltinType(kind.type), kind.traits), kind_(kind) {}

  void Default(json::object& object) const override {
    if (kind_.fill != nullptr) kind_.fill(object);
  }
  json::array Cells(const json::object& object, Time now) const override {
    return kind_.cells != nullptr ? kind_.cells(object, now) : BuiltinRules::Cells(object, now);
  }

 private:
  const PlainKind& kind_;
};

}  // namespace

std::shared_ptr<const KindRules> PlainRulesInstance(std::string_view type) {
  const auto found = std::ranges::find(kPlain, type, &PlainKind::type);
  BASALT_CHECK(found != std::end(kPlain));
  return std::make_shared<PlainRules>(*found);
}

}  // namespace basalt::apiserver
