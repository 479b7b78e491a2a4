#include "webhook/workload_admission.h"

#include <boost/json/object.hpp>
#include <string>

#include "model/annotations.h"
#include "model/group_of.h"

namespace basalt::webhook {
namespace {

namespace annotations = model::annotations;
namespace json = boost::json;

}  // namespace

Review MutateWorkload(const WorkloadView& workload, const WorkloadView* old, const Policy& policy) {
  Review review;
  const kube::StringMap& there = workload.pod_template.annotations;
  const bool known_by_template = workload.replica_set && !workload.meta.owner_references.empty();
  if (!policy.Schedules(workload.pod_template.spec.scheduler_name) || known_by_template ||
      model::NamesGroup(there)) {
    return review;
  }
  json::object added;
  for (const std::string_view key :
       {annotations::kGroupMinMember, annotations::kGroupMinResources}) {
    const auto own = workload.meta.annotations.Find(key), in_template = there.Find(key);
    if (own == in_template) continue;
    // The template says what the workload said before, as we leave it.
    const bool copied = old && in_template && old->meta.annotations.Find(key) == in_template &&
                        old->pod_template.annotations.Find(key) == in_template;
    if (own && (!in_template || copied)) added[key] = *own;
    if (!own && copied) {
      RemoveOperation(review.patch, Pointer({"spec", "template", "metadata", "annotations", key}));
    }
  }
  if (added.empty()) return review;
  if (!workload.template_has_metadata) {
    AddOperation(review.patch, Pointer({"spec", "template", "metadata"}),
                 json::object{{"annotations", std::move(added)}});
  } else if (there.empty()) {
    AddOperation(review.patch, Pointer({"spec", "template", "metadata", "annotations"}),
                 std::move(added));
  } else {
    for (auto& [key, value] : added) {
      AddOperation(review.patch, Pointer({"spec", "template", "metadata", "annotations", key}),
                   std::move(value));
    }
  }
  return review;
}

}  // namespace basalt::webhook
