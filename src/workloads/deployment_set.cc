#include "workloads/deployment_set.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/resource.h"
#include "workloads/child_object.h"
#include "workloads/template_hash.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

using kube::resources::kDeployments;
using kube::resources::kReplicaSets;
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::string_view kRollbackTo = "deprecated.deployment.rollback.to";

// A Deployment's annotations go to its sets, but for those that belong to one object.
bool IsCopied(std::string_view annotation) {
  return annotation != kLastApplied && annotation != kRevision && annotation != kRevisionHistory &&
         annotation != kDesired && annotation != kMost && annotation != kRollbackTo;
}

std::string_view OperatorName(kube::LabelRequirement::Operator op) {
  using Operator = kube::LabelRequirement::Operator;
  switch (op) {
    case Operator::kEquals:
    case Operator::kIn: return "In";
    case Operator::kNotEquals:
    case Operator::kNotIn: return "NotIn";
    case Operator::kExists: return "Exists";
    default: return "DoesNotExist";  // a Deployment's selector has no others
  }
}

json::object Selector(const kube::LabelSelector& selector, const std::string& hash) {
  json::object labels{{kTemplateHashLabel, hash}};
  json::array expressions;
  for (const kube::LabelRequirement& requirement : selector.requirements()) {
    if (requirement.op == kube::LabelRequirement::Operator::kEquals) {
      labels[requirement.key] = requirement.values.front();
      continue;
    }
    json::object expression{{"key", requirement.key}, {"operator", OperatorName(requirement.op)}};
    if (!requirement.values.empty()) {
      expression["values"] = json::array(requirement.values.begin(), requirement.values.end());
    }
    expressions.push_back(std::move(expression));
  }
  json::object result{{"matchLabels", std::move(labels)}};
  if (!expressions.empty()) result["matchExpressions"] = std::move(expressions);
  return result;
}

}  // namespace

std::string NewSetName(const kube::Deployment& deployment, const NewSet& set) {
  return deployment.meta.name + "-" + set.hash;
}

std::string NewSetJson(const kube::Deployment& deployment, const NewSet& set) {
  json::object pod_template = ParseTemplate(deployment.pod_template);
  json::object& labels = Child(Child(pod_template, "metadata"), "labels");
  labels[kTemplateHashLabel] = set.hash;

  json::object annotations;
  for (const kube::StringMap::Entry& annotation : deployment.meta.annotations) {
    if (IsCopied(annotation.key)) annotations[annotation.key] = annotation.value;
  }
  annotations[kRevision] = std::to_string(set.revision);
  annotations[kDesired] = std::to_string(deployment.replicas);
  annotations[kMost] = std::to_string(set.most_replicas);

  return json::serialize(json::object{
      {"apiVersion", kReplicaSets.ApiVersion()},
      {"kind", kReplicaSets.kind},
      {"metadata", json::object{{"name", NewSetName(deployment, set)},
                                {"labels", labels},
                                {"annotations", std::move(annotations)},
                                {"ownerReferences",
                                 json::array{ControllerReference(kDeployments, deployment.meta)}}}},
      {"spec", json::object{{"replicas", set.replicas},
                            {"minReadySeconds", deployment.min_ready_seconds},
                            {"selector", Selector(*deployment.selector, set.hash)},
                            {"template", pod_template}}}});
}

}  // namespace basalt::workloads
