#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "apiserver/kinds/builtin.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"
#include "base/clock.h"
#include "kube/types/time.h"

// Objects of the built-in kinds as a request brings them, for tests of their rules.
namespace basalt::apiserver {

inline const KindInfo& KindNamed(std::string_view plural) {
  static const std::vector<KindInfo> kinds = BuiltinKinds();
  const auto found = std::ranges::find(kinds, plural, &KindInfo::plural);
  EXPECT_NE(found, kinds.end()) << plural;
  return *found;
}

// The least that the kind takes.
inline std::string Least(std::string_view plural) {
  const std::string pod = R"({"containers":[{"name":"c","image":"x"}]})";
  const std::string pod_template = R"({"metadata":{"labels":{"app":"a"}},"spec":)" + pod + "}";
  const std::string workload =
      R"("selector":{"matchLabels":{"app":"a"}},"template":)" + pod_template;
  const std::string job =
      R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"x"}]}})";
  const std::string claim =
      R"("accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}})";
  const std::string webhook =
      R"({"webhooks":[{"name":"a.b.c","sideEffects":"None","admissionReviewVersions":["v1"],
        "clientConfig":{"url":"https://h/p"},"rules":[{"operations":["CREATE"],"apiGroups":[""],
        "apiVersions":["v1"],"resources":["pods"]}]}]})";
  const std::map<std::string_view, std::string> specs{
      {"pods", pod},
      {"deployments", "{" + workload + "}"},
      {"replicasets", "{" + workload + "}"},
      {"statefulsets", "{" + workload + "}"},
      {"daemonsets", "{" + workload + "}"},
      {"replicationcontrollers", R"({"template":)" + pod_template + "}"},
      {"jobs", "{" + job + "}"},
      {"cronjobs", R"({"schedule":"* * * * *","jobTemplate":{"spec":{)" + job + "}}}"},
      {"services", R"({"ports":[{"port":80}]})"},
      {"persistentvolumeclaims", "{" + claim + "}"},
      {"persistentvolumes", R"({"accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"},
                               "hostPath":{"path":"/d"}})"},
      {"volumeattachments", R"({"attacher":"a","nodeName":"n"})"},
      {"csinodes", R"({"drivers":[{"name":"d","nodeID":"n"}]})"},
  };
  const std::map<std::string_view, std::string> wholes{
      {"mutatingwebhookconfigurations", webhook},
      {"validatingwebhookconfigurations", webhook},
      {"podtemplates", R"({"template":)" + pod_template + "}"},
      {"storageclasses", R"({"provisioner":"p"})"},
      {"csistoragecapacities", R"({"storageClassName":"s"})"},
  };
  if (const auto whole = wholes.find(plural); whole != wholes.end()) return whole->second;
  const auto spec = specs.find(plural);
  return spec == specs.end() ? "{}" : R"({"spec":)" + spec->second + "}";
}

// As a JSON merge patch does it; a number as a key stands for an element of a list.
inline void Change(json::value& value, const json::value& change) {
  if (!change.is_object()) {
    value = change;
    return;
  }
  if (!value.is_object() && !value.is_array()) value = json::object();
  for (const auto& [key, part] : change.get_object()) {
    if (value.is_array()) {
      Change(value.get_array().at(std::stoul(std::string(key))), part);
    } else if (part.is_null()) {
      value.get_object().erase(key);
    } else {
      Change(value.get_object()[key], part);
    }
  }
}

// The least of its kind, changed; decoded and defaulted as every write is.
inline json::object Written(std::string_view plural, std::string_view change) {
  const KindInfo& kind = KindNamed(plural);
  json::value value = json::parse(Least(plural));
  json::object& metadata = Metadata(value.get_object());
  metadata["name"] = "it";
  metadata["uid"] = "uid";
  if (kind.namespaced) metadata["namespace"] = "ns";
  Change(value, json::parse(change));
  const Result<void> conformed = Conform(value, *kind.schema);
  EXPECT_TRUE(conformed.has_value()) << change << ": " << conformed.error().message;
  json::object object = value.get_object();
  object["kind"] = kind.kind;
  object["apiVersion"] = kind.ApiVersion();
  kind.rules->Default(object);
  return object;
}

inline Time TestTime() { return *kube::ParseTime("2026-01-01T00:00:00Z"); }

inline json::object Created(std::string_view plural, std::string_view change) {
  json::object object = Written(plural, change);
  KindNamed(plural).rules->PrepareForCreate(object, TestTime());
  return object;
}

// "Required spec.selector, Invalid spec.replicas": what a client can act on, in order, each once.
inline std::string Told(const FieldErrors& errors) {
  std::set<std::string> told;
  for (const FieldError& error : errors.all()) {
    told.insert(error.type.substr(std::string_view("FieldValue").size()) + " " + error.field);
  }
  std::string text;
  for (const std::string& one : told) text += (text.empty() ? "" : ", ") + one;
  return text;
}

// What is said of the least of its kind with a change: of its creation, of an update to it.
inline std::string ToldOfCreate(std::string_view plural, std::string_view change) {
  FieldErrors errors;
  KindNamed(plural).rules->Validate(Created(plural, change), errors);
  return Told(errors);
}

inline std::string ToldOfUpdate(std::string_view plural, std::string_view before,
                                std::string_view change) {
  const KindRules& rules = *KindNamed(plural).rules;
  const json::object old = Created(plural, before);
  json::value value = old;
  Change(value, json::parse(change));
  json::object object = value.get_object();
  rules.Default(object);
  rules.PrepareForUpdate(object, old);
  FieldErrors errors;
  rules.ValidateUpdate(object, old, errors);
  return Told(errors);
}

// A part of an object as text: "/spec/replicas".
inline std::string At(const json::object& object, const std::string& pointer) {
  boost::system::error_code error;
  const json::value value(object);
  const json::value* found = value.find_pointer(pointer, error);
  return found == nullptr ? "" : json::serialize(*found);
}

}  // namespace basalt::apiserver
