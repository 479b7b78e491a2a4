#include <boost/json/array.hpp>
#include <string>
#include <string_view>

#include "apiserver/kinds/pod.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// Keys that the pod has no label of ask for nothing.
void MergeKeys(json::object& term, std::string_view field, std::string_view op,
               const json::object& labels) {
  const json::array* keys = FindArray(term, {field});
  json::object* selector = FindObject(term, {"labelSelector"});
  if (keys == nullptr || selector == nullptr) return;  // no selector: it selects nothing
  json::array wanted;
  for (const json::value& key : *keys) {
    const json::value* value = labels.if_contains(AsText(key));
    if (value == nullptr) continue;
    wanted.push_back(
        json::object{{"key", AsText(key)}, {"operator", op}, {"values", json::array{*value}}});
  }
  if (wanted.empty()) return;
  json::array* expressions = FindArray(*selector, {"matchExpressions"});
  if (expressions == nullptr) {
    (*selector)["matchExpressions"] = std::move(wanted);
  } else {
    expressions->insert(expressions->end(), wanted.begin(), wanted.end());
  }
}

void MergeTerm(json::object& term, const json::object& labels) {
  MergeKeys(term, "matchLabelKeys", "In", labels);
  MergeKeys(term, "mismatchLabelKeys", "NotIn", labels);
}

}  // namespace

void MergeLabelKeys(json::object& pod) {
  const json::object* found = FindObject(pod, {"metadata", "labels"});
  if (found == nullptr) return;
  const json::object& labels = *found;
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    json::object* affinity = FindObject(pod, {"spec", "affinity", kind});
    if (affinity == nullptr) continue;
    if (auto* terms = FindArray(*affinity, {"requiredDuringSchedulingIgnoredDuringExecution"})) {
      for (json::value& term : *terms) MergeTerm(AsObject(term), labels);
    }
    if (auto* terms = FindArray(*affinity, {"preferredDuringSchedulingIgnoredDuringExecution"})) {
      for (json::value& wish : *terms) {
        if (json::object* term = FindObject(AsObject(wish), {"podAffinityTerm"})) {
          MergeTerm(*term, labels);
        }
      }
    }
  }
  if (json::array* constraints = FindArray(pod, {"spec", "topologySpreadConstraints"})) {
    for (json::value& constraint : *constraints) {
      MergeKeys(AsObject(constraint), "matchLabelKeys", "In", labels);
    }
  }
}

}  // namespace basalt::apiserver
