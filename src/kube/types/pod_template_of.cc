#include "kube/types/pod_template_of.h"

#include <string_view>
#include <utility>

#include "kube/types/json_fields.h"

namespace basalt::kube {
namespace {

constexpr std::string_view kTokenVolume = "kube-api-access-";

void EraseIf(boost::json::object& object, std::string_view key, const boost::json::value& usual) {
  const boost::json::value* value = object.if_contains(key);
  if (value && *value == usual) object.erase(key);
}

template <class Pred>
void EraseFromList(boost::json::object& object, std::string_view key, Pred unwanted) {
  boost::json::value* value = object.if_contains(key);
  if (!value || !value->is_array()) return;
  boost::json::array& list = value->get_array();
  boost::json::array kept;
  for (boost::json::value& item : list) {
    const boost::json::object* entry = item.if_object();
    if (!entry || !unwanted(*entry)) kept.push_back(std::move(item));
  }
  list = std::move(kept);
  if (list.empty()) object.erase(key);
}

void CleanContainers(boost::json::object& spec, std::string_view key) {
  boost::json::value* value = spec.if_contains(key);
  if (!value || !value->is_array()) return;
  for (boost::json::value& item : value->get_array()) {
    if (!item.is_object()) continue;
    boost::json::object& container = item.get_object();
    EraseFromList(container, "volumeMounts", [](const boost::json::object& mount) {
      return TextAt(&mount, "name").starts_with(kTokenVolume);
    });
    EraseIf(container, "terminationMessagePath", "/dev/termination-log");
    EraseIf(container, "terminationMessagePolicy", "File");
    EraseIf(container, "resources", boost::json::object());
  }
}

bool IsUsualToleration(const boost::json::object& toleration) {
  const std::string key = TextAt(&toleration, "key");
  return (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable") &&
         TextAt(&toleration, "effect") == "NoExecute" &&
         NumberAt(&toleration, "tolerationSeconds") == 300;
}

// A pod's spec as it was asked for: without what admission, scheduler and node have added.
boost::json::object CleanSpec(boost::json::object spec) {
  for (const std::string_view key : {"nodeName", "priority", "preemptionPolicy", "schedulingGates",
                                     "serviceAccount", "ephemeralContainers"}) {
    spec.erase(key);
  }
  EraseFromList(spec, "volumes", [](const boost::json::object& volume) {
    return TextAt(&volume, "name").starts_with(kTokenVolume);
  });
  EraseFromList(spec, "tolerations", IsUsualToleration);
  CleanContainers(spec, "containers");
  CleanContainers(spec, "initContainers");
  EraseIf(spec, "serviceAccountName", "default");
  EraseIf(spec, "dnsPolicy", "ClusterFirst");
  EraseIf(spec, "restartPolicy", "Always");
  EraseIf(spec, "enableServiceLinks", true);
  EraseIf(spec, "terminationGracePeriodSeconds", 30);
  EraseIf(spec, "securityContext", boost::json::object());
  return spec;
}

}  // namespace

boost::json::object TemplateOf(const boost::json::object& pod) {
  boost::json::object made;
  if (const boost::json::object* labels = ObjectAt(pod, {"metadata", "labels"})) {
    made["metadata"] = boost::json::object{{"labels", *labels}};
  }
  const boost::json::object* spec = ObjectAt(pod, {"spec"});
  made["spec"] = spec ? CleanSpec(*spec) : boost::json::object();
  return made;
}

boost::json::object ControllerOf(const boost::json::object& pod) {
  boost::json::object made;
  for (const boost::json::value& item : ArrayAt(ObjectAt(pod, {"metadata"}), "ownerReferences")) {
    const boost::json::object* owner = item.if_object();
    const boost::json::value* controls = owner ? owner->if_contains("controller") : nullptr;
    if (!controls || *controls != true) continue;
    for (const std::string_view key : {"apiVersion", "kind", "name", "uid"}) {
      if (const std::string text = TextAt(owner, key); !text.empty()) made[key] = text;
    }
    break;
  }
  return made;
}

}  // namespace basalt::kube
