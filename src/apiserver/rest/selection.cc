#include <algorithm>
#include <optional>

#include "apiserver/rest/read.h"

namespace basalt::apiserver {

ApiResult<Selection> Selection::Parse(const KindPtr& served, const Query& query,
                                      std::string_view ns, std::string_view name) {
  Selection selection;
  const ServedKind& kind = *served;
  selection.kind_ = served;
  selection.ns_ = ns;
  Result<kube::LabelSelector> labels = kube::LabelSelector::Parse(query.Get("labelSelector"));
  if (!labels) return Refuse(refusal::BadRequest(labels.error().message));
  selection.labels_ = std::move(*labels);

  std::string fields(query.Get("fieldSelector"));
  if (!name.empty())
    fields += (fields.empty() ? "metadata.name=" : ",metadata.name=") + std::string(name);
  Result<kube::FieldSelector> parsed = kube::FieldSelector::Parse(fields);
  if (!parsed) return Refuse(refusal::BadRequest(parsed.error().message));
  selection.fields_ = std::move(*parsed);
  for (const kube::FieldSelector::Requirement& requirement : selection.fields_.requirements()) {
    if (requirement.field == "metadata.name" || requirement.field == "metadata.namespace") continue;
    std::string value;
    if (!kind.info.rules->FieldValue({}, requirement.field, value)) {
      return Refuse(refusal::BadRequest("field label not supported: " + requirement.field));
    }
  }
  if (kind.info.namespaced && !ns.empty()) selection.key_prefix_ = kind.Key(ns, "");
  return selection;
}

bool Selection::Matches(const StoredObject& object) const {
  if (!ns_.empty() && object.ns() != ns_) return false;
  for (const kube::LabelRequirement& requirement : labels_.requirements()) {
    if (!requirement.Holds(object.Label(requirement.key))) return false;
  }
  return fields_.empty() || MatchesFields(object);
}

bool Selection::MatchesFields(const StoredObject& object) const {
  std::optional<json::object> parsed;  // only where a field of the kind's own is asked for
  for (const kube::FieldSelector::Requirement& requirement : fields_.requirements()) {
    std::string value;
    if (requirement.field == "metadata.name") {
      value = object.name();
    } else if (requirement.field == "metadata.namespace") {
      value = object.ns();
    } else if (const auto kept =
                   std::ranges::find(kind_->collection->kept_fields, requirement.field);
               kept != kind_->collection->kept_fields.end()) {
      value = object.Field(static_cast<std::size_t>(kept - kind_->collection->kept_fields.begin()));
    } else {
      if (!parsed) parsed = kind_->Load(object);
      kind_->info.rules->FieldValue(*parsed, requirement.field, value);
    }
    if ((value == requirement.value) != requirement.equal) return false;
  }
  return true;
}

}  // namespace basalt::apiserver
