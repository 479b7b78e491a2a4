#include "webhook/pod_template_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <initializer_list>
#include <optional>
#include <set>
#include <vector>

#include "kube/types/names.h"
#include "kube/types/quantity.h"
#include "webhook/fields.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

std::optional<kube::Quantity> QuantityOf(const json::value& value) {
  // A number stands for itself.
  const std::string text =
      value.is_string() ? std::string(value.get_string()) : json::serialize(value);
  const auto quantity = kube::Quantity::Parse(text);
  return quantity ? std::optional(*quantity) : std::nullopt;
}

class TemplateRules {
 public:
  TemplateRules(const json::object& spec, std::string field, Review& review)
      : spec_(spec), field_(std::move(field)), verdict_(review) {}

  void Check() {
    CheckVolumes();
    if (ListAt(spec_, "containers").empty()) {
      Refuse(field_ + ".containers: at least one is needed");
    }
    CheckContainers("initContainers");
    CheckContainers("containers");
    OneOf(spec_, "restartPolicy", field_, {"Always", "OnFailure", "Never"});
    OneOf(spec_, "dnsPolicy", field_,
          {"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"});
    OneOf(spec_, "preemptionPolicy", field_, {"Never", "PreemptLowerPriority"});
    NotNegative(spec_, "terminationGracePeriodSeconds", field_);
    if (Has(spec_, "activeDeadlineSeconds") &&
        NumberAt(spec_, "activeDeadlineSeconds").value_or(0) < 1) {
      Refuse(fmt::format("{}.activeDeadlineSeconds: {}: must be positive", field_,
                         json::serialize(spec_.at("activeDeadlineSeconds"))));
    }
    for (const char* key : {"priorityClassName", "serviceAccountName", "schedulerName"}) {
      Subdomain(TextAt(spec_, key), fmt::format("{}.{}", field_, key));
    }
    for (const char* key : {"hostname", "subdomain"}) {
      const std::string_view name = TextAt(spec_, key);
      if (name.empty()) continue;
      for (const std::string& problem : kube::Dns1123LabelProblems(name)) {
        Refuse(fmt::format("{}.{}: \"{}\": {}", field_, key, name, problem));
      }
    }
    CheckLabels(ObjectAt(spec_, "nodeSelector"), field_ + ".nodeSelector", true);
    CheckTolerations();
  }

  void CheckMetadata(const json::object& metadata, const std::string& at) {
    CheckLabels(ObjectAt(metadata, "labels"), at + ".labels", true);
    CheckLabels(ObjectAt(metadata, "annotations"), at + ".annotations", false);
  }

 private:
  void Refuse(std::string problem) { verdict_.Refuse(std::move(problem)); }

  void OneOf(const json::object& object, std::string_view key, const std::string& at,
             std::initializer_list<std::string_view> allowed) {
    const std::string_view value = TextAt(object, key);
    if (value.empty() || std::ranges::find(allowed, value) != allowed.end()) return;
    Refuse(fmt::format("{}.{}: \"{}\": want {}", at, key, value, fmt::join(allowed, ", ")));
  }

  void NotNegative(const json::object& object, std::string_view key, const std::string& at) {
    const auto number = NumberAt(object, key);
    if (number.value_or(0) < 0) {
      Refuse(fmt::format("{}.{}: {}: must not be negative", at, key, *number));
    }
  }

  void Subdomain(std::string_view name, const std::string& at) {
    if (name.empty()) return;
    for (const std::string& problem : kube::Dns1123SubdomainProblems(name)) {
      Refuse(fmt::format("{}: \"{}\": {}", at, name, problem));
    }
  }

  void CheckLabels(const json::object& labels, const std::string& at, bool values) {
    for (const auto& label : labels) {
      const std::string_view key = label.key();
      for (const std::string& problem : kube::LabelKeyProblems(key)) {
        Refuse(fmt::format("{}: \"{}\": {}", at, key, problem));
      }
      if (!values || !label.value().is_string()) continue;
      const std::string_view value = label.value().get_string();
      for (const std::string& problem : kube::LabelValueProblems(value)) {
        Refuse(fmt::format("{}[{}]: \"{}\": {}", at, key, value, problem));
      }
    }
  }

  void CheckVolumes() {
    const json::array& volumes = ListAt(spec_, "volumes");
    for (std::size_t i = 0; i < volumes.size(); ++i) {
      const json::object& volume = AsObject(volumes[i]);
      const std::string at = fmt::format("{}.volumes[{}]", field_, i);
      const std::string_view name = TextAt(volume, "name");
      for (const std::string& problem : kube::Dns1123LabelProblems(name)) {
        Refuse(fmt::format("{}.name: \"{}\": {}", at, name, problem));
      }
      if (!volumes_.insert(name).second) {
        Refuse(fmt::format("{}.name: \"{}\": another volume has this name", at, name));
      }
      if (Has(volume, "persistentVolumeClaim") &&
          TextAt(ObjectAt(volume, "persistentVolumeClaim"), "claimName").empty()) {
        Refuse(at + ".persistentVolumeClaim.claimName: missing");
      }
    }
  }

  void CheckContainers(std::string_view list) {
    const json::array& containers = ListAt(spec_, list);
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const json::object& container = AsObject(containers[i]);
      const std::string at = fmt::format("{}.{}[{}]", field_, list, i);
      const std::string_view name = TextAt(container, "name");
      for (const std::string& problem : kube::Dns1123LabelProblems(name)) {
        Refuse(fmt::format("{}.name: \"{}\": {}", at, name, problem));
      }
      if (!containers_.insert(name).second) {
        Refuse(fmt::format("{}.name: \"{}\": another container has this name", at, name));
      }
      if (TextAt(container, "image").empty()) Refuse(at + ".image: missing");
      OneOf(container, "imagePullPolicy", at, {"Always", "IfNotPresent", "Never"});
      OneOf(container, "terminationMessagePolicy", at, {"File", "FallbackToLogsOnError"});
      CheckResources(ObjectAt(container, "resources"), at + ".resources");
      CheckPorts(ListAt(container, "ports"), at + ".ports");
      CheckEnvironment(ListAt(container, "env"), at + ".env");
      CheckMounts(ListAt(container, "volumeMounts"), at + ".volumeMounts");
    }
  }

  void CheckResources(const json::object& resources, const std::string& at) {
    for (const char* kind : {"requests", "limits"}) {
      for (const auto& entry : ObjectAt(resources, kind)) {
        const std::string_view name = entry.key();
        const std::string where = fmt::format("{}.{}[{}]", at, kind, name);
        const auto quantity = QuantityOf(entry.value());
        if (!quantity) {
          Refuse(fmt::format("{}: {}: is no quantity", where, json::serialize(entry.value())));
        } else if (quantity->Sign() < 0) {
          Refuse(fmt::format("{}: {}: must not be negative", where, quantity->ToString()));
        }
        for (const std::string& problem : kube::LabelKeyProblems(name)) {
          Refuse(fmt::format("{}: {}", where, problem));
        }
      }
    }
    const json::object& limits = ObjectAt(resources, "limits");
    for (const auto& entry : ObjectAt(resources, "requests")) {
      const json::value* limit = limits.if_contains(entry.key());
      if (limit == nullptr) continue;
      const auto asked = QuantityOf(entry.value()), most = QuantityOf(*limit);
      if (asked && most && *asked > *most) {
        Refuse(fmt::format("{}.requests[{}]: {}: must not exceed the limit of {}", at,
                           std::string_view(entry.key()), asked->ToString(), most->ToString()));
      }
    }
  }

  void CheckPorts(const json::array& ports, const std::string& at) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const json::object& port = AsObject(ports[i]);
      const std::string where = fmt::format("{}[{}]", at, i);
      const std::int64_t number = NumberAt(port, "containerPort").value_or(0);
      if (number < 1 || number > 65535) {
        Refuse(fmt::format("{}.containerPort: {}: want a number from 1 to 65535", where, number));
      }
      const std::int64_t host = NumberAt(port, "hostPort").value_or(0);
      if (host < 0 || host > 65535) {
        Refuse(fmt::format("{}.hostPort: {}: want a number from 1 to 65535", where, host));
      }
      OneOf(port, "protocol", where, {"TCP", "UDP", "SCTP"});
    }
  }

  void CheckEnvironment(const json::array& env, const std::string& at) {
    for (std::size_t i = 0; i < env.size(); ++i) {
      const std::string_view name = TextAt(AsObject(env[i]), "name");
      const std::string where = fmt::format("{}[{}]", at, i);
      if (name.empty()) {
        Refuse(where + ".name: missing");
      } else if (name.contains('=')) {
        Refuse(fmt::format("{}.name: \"{}\": must not contain '='", where, name));
      }
      if (!TextAt(AsObject(env[i]), "value").empty() && Has(AsObject(env[i]), "valueFrom")) {
        Refuse(fmt::format("{}: value and valueFrom of {} exclude each other", where, name));
      }
    }
  }

  void CheckMounts(const json::array& mounts, const std::string& at) {
    std::set<std::string_view> paths;
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      const json::object& mount = AsObject(mounts[i]);
      const std::string where = fmt::format("{}[{}]", at, i);
      const std::string_view name = TextAt(mount, "name"), path = TextAt(mount, "mountPath");
      if (!volumes_.contains(name)) {
        Refuse(fmt::format("{}.name: \"{}\": the pod has no volume of that name", where, name));
      }
      if (path.empty()) {
        Refuse(where + ".mountPath: missing");
      } else if (!paths.insert(path).second) {
        Refuse(fmt::format("{}.mountPath: \"{}\": another volume is mounted there", where, path));
      }
    }
  }

  void CheckTolerations() {
    const json::array& tolerations = ListAt(spec_, "tolerations");
    for (std::size_t i = 0; i < tolerations.size(); ++i) {
      const json::object& one = AsObject(tolerations[i]);
      const std::string at = fmt::format("{}.tolerations[{}]", field_, i);
      OneOf(one, "effect", at, {"NoSchedule", "PreferNoSchedule", "NoExecute"});
      OneOf(one, "operator", at, {"Exists", "Equal", "Lt", "Gt"});
      const bool exists = TextAt(one, "operator") == "Exists";
      if (TextAt(one, "key").empty() && !exists) {
        Refuse(at + ".operator: must be Exists where key is empty");
      }
      if (exists && !TextAt(one, "value").empty()) {
        Refuse(fmt::format("{}.value: \"{}\": must be empty where operator is Exists", at,
                           TextAt(one, "value")));
      }
    }
  }

  const json::object& spec_;
  const std::string field_;
  Review& verdict_;
  std::set<std::string_view> volumes_;
  std::set<std::string_view> containers_;
};

}  // namespace

void CheckPodTemplate(const json::object& pod_template, const std::string& field, Review& review) {
  TemplateRules rules(ObjectAt(pod_template, "spec"), field + ".spec", review);
  rules.CheckMetadata(ObjectAt(pod_template, "metadata"), field + ".metadata");
  rules.Check();
}

bool IsWholePositive(const json::object& quantities, std::string_view key) {
  const json::value* value = quantities.if_contains(key);
  const auto quantity = value != nullptr ? QuantityOf(*value) : std::nullopt;
  if (!quantity || quantity->Sign() <= 0) return false;
  return *quantity == kube::Quantity::Of(quantity->Value());
}

}  // namespace basalt::webhook
