#include "webhook/configurations.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/base64.h"
#include "base/log.h"
#include "webhook/pod_admission.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

// Long for a webhook that answers in a millisecond, short for a client that creates a pod.
constexpr int kForeignTimeoutSeconds = 2;
constexpr int kOwnTimeoutSeconds = 10;

// A string as CEL writes it.
std::string Quoted(std::string_view text) { return json::serialize(json::string(text)); }

std::string CelList(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(Quoted(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

// `pod` is the path of the pod's spec.
std::string SchedulerCondition(std::string_view pod, const Policy& policy) {
  return fmt::format("has({0}.schedulerName) && {0}.schedulerName in {1}", pod,
                     CelList(policy.scheduler_names));
}

std::string AnnotationCondition(const std::vector<std::string_view>& annotations,
                                std::string_view object = "object") {
  std::vector<std::string> any;
  for (const std::string_view text : annotations) {
    const std::size_t equals = text.find('=');
    const std::string key = Quoted(text.substr(0, equals));
    if (equals == std::string_view::npos) {
      any.push_back(fmt::format("{} in {}.metadata.annotations", key, object));
    } else {
      any.push_back(
          fmt::format("({0} in {2}.metadata.annotations && {2}.metadata.annotations[{0}] == {1})",
                      key, Quoted(text.substr(equals + 1)), object));
    }
  }
  return fmt::format("has({}.metadata.annotations) && ({})", object, fmt::join(any, " || "));
}

// A pod on a node gets, loses or changes one of the annotations. The API server finds that out by
// itself: a client that labels a pod does not wait for us.
std::string ChangeCondition(std::span<const std::string_view> annotations) {
  std::vector<std::string> any;
  for (const std::string_view annotation : annotations) {
    const std::string key = Quoted(annotation);
    const auto has = [&](std::string_view object) {
      return fmt::format("(has({0}.metadata.annotations) && {1} in {0}.metadata.annotations)",
                         object, key);
    };
    any.push_back(fmt::format(
        "({0} && !{1}) || (!{0} && {1}) || ({0} && {1} && object.metadata.annotations[{2}] != "
        "oldObject.metadata.annotations[{2}])",
        has("object"), has("oldObject"), key));
  }
  return fmt::format("has(oldObject.spec.nodeName) && oldObject.spec.nodeName != \"\" && ({})",
                     fmt::join(any, " || "));
}

std::string ConditionOf(const Route& route, const std::vector<std::string_view>& acted_on) {
  const std::string created = AnnotationCondition(acted_on);
  if (std::ranges::find(route.operations, kube::AdmissionRequest::Operation::kUpdate) ==
      route.operations.end()) {
    return created;
  }
  return fmt::format(
      "(request.operation == \"CREATE\" && {}) || (request.operation == \"UPDATE\" && {})", created,
      ChangeCondition(FixedAnnotations()));
}

// Those that are acted on: without the gates' feature its annotation is not.
std::vector<std::string_view> ActedOn(const Route& route, const Policy& policy) {
  std::vector<std::string_view> annotations = route.annotations;
  if (!policy.queue_allocation_gates) {
    std::erase_if(annotations, [](std::string_view text) { return text.contains('='); });
  }
  return annotations;
}

json::object MatchCondition(std::string_view name, std::string expression) {
  return {{"name", name}, {"expression", std::move(expression)}};
}

// Which objects the API server asks about at all; empty: about all of them.
json::array MatchConditions(const Route& route, const Policy& policy) {
  if (route.workload) {
    json::array conditions{
        MatchCondition("scheduler", SchedulerCondition("object.spec.template.spec", policy)),
        MatchCondition("annotation",
                       fmt::format("({}) || (request.operation == \"UPDATE\" && {})",
                                   AnnotationCondition(route.annotations),
                                   AnnotationCondition(route.annotations, "oldObject")))};
    if (route.resource.kind == kube::resources::kReplicaSets.kind) {  // see MutateWorkload
      conditions.push_back(
          MatchCondition("not-made-by-another", "!has(object.metadata.ownerReferences)"));
    }
    return conditions;
  }
  if (route.foreign_kind) {
    return {MatchCondition("scheduler", SchedulerCondition("object.spec", policy)),
            MatchCondition("annotation", ConditionOf(route, ActedOn(route, policy)))};
  }
  if (policy.own_users.empty()) return {};
  return {MatchCondition("not-basalt-itself", fmt::format("!(request.userInfo.username in {})",
                                                          CelList(policy.own_users)))};
}

json::object ClientConfig(const CallTarget& target, std::string_view path,
                          const std::string& ca_pem) {
  json::object config{{"caBundle", Base64Encode(ca_pem)}};
  if (!target.url.empty()) {
    config["url"] = fmt::format("{}{}", target.url, path);
  } else {
    config["service"] = json::object{{"namespace", target.service_ns},
                                     {"name", target.service_name},
                                     {"port", target.service_port},
                                     {"path", path}};
  }
  return config;
}

json::object MakeWebhook(const Route& route, const CallTarget& target, const std::string& ca_pem,
                         const Policy& policy) {
  json::array operations;
  for (const auto operation : route.operations) operations.emplace_back(ToString(operation));
  json::object webhook{
      {"name", route.WebhookName()},
      {"admissionReviewVersions", json::array{"v1"}},
      {"sideEffects", "None"},
      {"clientConfig", ClientConfig(target, route.path, ca_pem)},
      {"rules",
       json::array{json::object{{"operations", std::move(operations)},
                                {"apiGroups", json::array{json::string(route.resource.group)}},
                                {"apiVersions", json::array{json::string(route.resource.version)}},
                                {"resources", json::array{json::string(route.resource.plural)}},
                                {"scope", route.resource.namespaced ? "Namespaced" : "Cluster"}}}},
      {"failurePolicy", route.foreign_kind ? "Ignore" : "Fail"},
      {"matchPolicy", "Equivalent"},
      {"namespaceSelector", json::object()},
      {"objectSelector", json::object()},
      {"timeoutSeconds", route.foreign_kind ? kForeignTimeoutSeconds : kOwnTimeoutSeconds}};
  // Another webhook may choose our scheduler for a pod after we have passed it.
  if (route.mutating) webhook["reinvocationPolicy"] = route.foreign_kind ? "IfNeeded" : "Never";
  if (json::array conditions = MatchConditions(route, policy); !conditions.empty()) {
    webhook["matchConditions"] = std::move(conditions);
  }
  return webhook;
}

}  // namespace

json::object MakeConfiguration(bool mutating, const std::vector<const Route*>& routes,
                               const CallTarget& target, const std::string& ca_pem,
                               const Policy& policy) {
  json::array webhooks;
  for (const Route* route : routes) {
    if (route->mutating == mutating) {
      webhooks.push_back(MakeWebhook(*route, target, ca_pem, policy));
    }
  }
  const kube::Resource& resource =
      mutating ? kube::resources::kMutatingWebhooks : kube::resources::kValidatingWebhooks;
  return {{"apiVersion", resource.ApiVersion()},
          {"kind", resource.kind},
          {"metadata", json::object{{"name", kConfigurationName}}},
          {"webhooks", std::move(webhooks)}};
}

bool Covers(const json::value& found, const json::value& wanted) {
  if (wanted.is_object()) {
    if (!found.is_object()) return false;
    for (const auto& [key, value] : wanted.get_object()) {
      const json::value* there = found.get_object().if_contains(key);
      if (there == nullptr && value.is_array() && value.get_array().empty()) continue;
      if (there == nullptr || !Covers(*there, value)) return false;
    }
    return true;
  }
  if (wanted.is_array()) {
    if (!found.is_array() || found.get_array().size() != wanted.get_array().size()) return false;
    for (std::size_t i = 0; i < wanted.get_array().size(); ++i) {
      if (!Covers(found.get_array()[i], wanted.get_array()[i])) return false;
    }
    return true;
  }
  return found == wanted;
}

void Configurations::Ensure(json::object mutating, json::object validating, Done done) {
  done_ = std::move(done);
  steps_.clear();
  steps_.push_back({&kube::resources::kMutatingWebhooks, std::move(mutating)});
  steps_.push_back({&kube::resources::kValidatingWebhooks, std::move(validating)});
  at_ = 0;
  Next();
}

void Configurations::Next() {
  if (at_ == steps_.size()) return Finish({});
  client_.Get(
      {*steps_[at_].resource, "", kConfigurationName},
      scope_.Guard([this](Result<kube::ApiResponse> result) { OnRead(std::move(result)); }));
}

void Configurations::OnRead(Result<kube::ApiResponse> result) {
  if (!result && result.error().code == ErrorCode::kNotFound) return Write("");
  if (!result) return Finish(std::unexpected(result.error()));
  boost::system::error_code error;
  const json::value found = json::parse(result->body, error);
  if (error || !found.is_object()) {
    return Finish(Fail(ErrorCode::kInternal, "the server's answer is no JSON object"));
  }
  if (Covers(found, steps_[at_].wanted)) {
    ++at_;
    return Next();
  }
  std::string version;
  const json::value* text = found.find_pointer("/metadata/resourceVersion", error);
  if (text != nullptr && text->is_string()) version = text->get_string();
  confirm_(scope_.Guard([this, version](bool still_right) {
    if (!still_right) return Finish(Fail(ErrorCode::kCancelled, "certificates have changed"));
    Write(version);
  }));
}

void Configurations::Write(const std::string& resource_version) {
  const Step& step = steps_[at_];
  auto written =
      scope_.Guard([this](Result<kube::ApiResponse> result) { OnWritten(std::move(result)); });
  if (resource_version.empty()) {
    client_.Create({*step.resource}, json::serialize(step.wanted), std::move(written));
    return;
  }
  const json::object patch{{"metadata", json::object{{"resourceVersion", resource_version}}},
                           {"webhooks", step.wanted.at("webhooks")}};
  client_.Patch({*step.resource, "", kConfigurationName}, kube::PatchKind::kMerge,
                json::serialize(patch), std::move(written));
}

void Configurations::OnWritten(Result<kube::ApiResponse> result) {
  if (!result) return Finish(std::unexpected(result.error()));
  log::Info("registered", {{"kind", steps_[at_].resource->kind}, {"name", kConfigurationName}});
  ++at_;
  Next();
}

void Configurations::Finish(Result<void> result) {
  if (!result && at_ < steps_.size()) {
    result = std::unexpected(
        result.error().Wrap(fmt::format("{} {}", steps_[at_].resource->kind, kConfigurationName)));
  }
  Done done = std::move(done_);
  done(std::move(result));
}

}  // namespace basalt::webhook
