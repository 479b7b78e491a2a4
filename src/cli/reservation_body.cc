#include "cli/reservation_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/value_from.hpp>
#include <string_view>

#include "cli/json_fields.h"
#include "kube/types/names.h"
#include "kube/types/pod_template_of.h"
#include "kube/types/time.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

std::unexpected<Error> Bad(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

struct Source {
  json::object pod_template;
  std::int64_t replicas = 1;
  json::array owners;
};

Result<json::array> OwnersByLabels(const json::object& pod_template) {
  const json::object* labels = ObjectAt(pod_template, {"metadata", "labels"});
  if (!labels || labels->empty()) {
    return Bad(
        "its pods have no labels to know them by: say who may use the reservation with "
        "--owner KEY=VALUE");
  }
  return json::array{json::object{{"labelSelector", json::object{{"matchLabels", *labels}}}}};
}

Result<Source> ReadPodSource(const json::object& pod, ReservedFor from, bool owners_given) {
  const json::object* spec = ObjectAt(pod, {"spec"});
  if (!spec) return Bad("the Pod has no spec");
  Source source;
  source.pod_template = kube::TemplateOf(pod);
  if (owners_given) return source;
  if (from == ReservedFor::kFile) {
    Result<json::array> owners = OwnersByLabels(source.pod_template);
    if (!owners) return std::unexpected(owners.error());
    source.owners = std::move(*owners);
    return source;
  }
  json::object owner = kube::ControllerOf(pod);
  if (owner.empty()) {
    owner = {{"kind", "Pod"}, {"name", TextAt(ObjectAt(pod, {"metadata"}), "name")}};
  }
  source.owners = json::array{json::object{{"object", std::move(owner)}}};
  return source;
}

Result<Source> ReadWorkload(const json::object& workload, const std::string& kind,
                            bool owners_given) {
  const json::object* spec = ObjectAt(workload, {"spec"});
  const json::object* pod_template = ObjectAt(workload, {"spec", "template"});
  if (!pod_template) return Bad(fmt::format("the {} has no template for pods", kind));
  Source source{.pod_template = *pod_template};
  if (json::value* meta = source.pod_template.if_contains("metadata"); meta && meta->is_object()) {
    json::object& fields = meta->get_object();
    const json::value* made = fields.if_contains("creationTimestamp");
    if (made && made->is_null()) fields.erase("creationTimestamp");
  }
  if (kind == "Job") {
    source.replicas = NumberAt(spec, "parallelism", 1);
    source.replicas = std::min(source.replicas, NumberAt(spec, "completions", source.replicas));
  } else {
    source.replicas = NumberAt(spec, "replicas", 1);
  }
  if (owners_given) return source;
  Result<json::array> owners = OwnersByLabels(source.pod_template);
  if (!owners) return std::unexpected(owners.error());
  source.owners = std::move(*owners);
  return source;
}

Result<json::array> ReadOwners(const std::vector<std::string>& owners) {
  json::array entries;
  for (const std::string& owner : owners) {
    const std::size_t at = owner.find('=');
    if (at == 0 || at == std::string::npos) {
      return Bad(fmt::format("--owner: want KEY=VALUE, not {}", owner));
    }
    json::object labels{{owner.substr(0, at), owner.substr(at + 1)}};
    entries.push_back(
        json::object{{"labelSelector", json::object{{"matchLabels", std::move(labels)}}}});
  }
  return entries;
}

// A task is named after the workload where that can be.
std::string TaskName(const json::object& object) {
  const std::string name = TextAt(ObjectAt(object, {"metadata"}), "name");
  return kube::Dns1123LabelProblems(name).empty() ? name : "pods";
}

void PutOnNodes(json::object& task, const ReservationFlags& flags) {
  if (!flags.nodes.empty()) task["reservationNodeNames"] = json::value_from(flags.nodes);
  if (flags.required) task["reservationNodePolicy"] = "Required";
}

Result<json::object> SpecOfReservation(const json::object& object, const ReservationFlags& flags) {
  const json::object* given = ObjectAt(object, {"spec"});
  if (!given) return Bad("the Reservation has no spec");
  json::object spec = *given;
  json::value* tasks = spec.if_contains("tasks");
  json::array none;
  json::array& list = tasks && tasks->is_array() ? tasks->get_array() : none;
  if (flags.replicas && list.size() != 1) {
    return Bad(fmt::format(
        "--replicas is for one task, and the Reservation has {}: change them in the file",
        list.size()));
  }
  for (json::value& task : list) {
    if (!task.is_object()) continue;
    if (flags.replicas) task.get_object()["replicas"] = *flags.replicas;
    PutOnNodes(task.get_object(), flags);
  }
  return spec;
}

Result<json::object> SpecForPods(const json::object& object, const std::string& kind,
                                 ReservedFor from, const ReservationFlags& flags) {
  const bool owners_given = !flags.owners.empty();
  Result<Source> source = kind == "Pod" ? ReadPodSource(object, from, owners_given)
                                        : ReadWorkload(object, kind, owners_given);
  if (!source) return std::unexpected(source.error());
  const std::int64_t replicas = flags.replicas ? *flags.replicas : source->replicas;
  if (replicas < 1) {
    return Bad(fmt::format("the {} has no replicas: say how many with --replicas", kind));
  }
  json::object task{{"name", TaskName(object)},
                    {"replicas", replicas},
                    {"template", std::move(source->pod_template)}};
  PutOnNodes(task, flags);
  json::object spec;
  if (!owners_given) spec["owners"] = std::move(source->owners);
  spec["tasks"] = json::array{std::move(task)};
  return spec;
}

}  // namespace

Result<json::object> ReservationBody(const json::object& object, ReservedFor from,
                                     const ReservationFlags& flags) {
  const std::string kind = TextAt(&object, "kind");
  if (flags.required && flags.nodes.empty()) {
    return Bad("--required needs at least one --node NODE");
  }
  if (flags.replicas && *flags.replicas < 1) return Bad("--replicas: must be positive");
  if (!flags.ttl.empty()) {
    const Result<Duration> ttl = kube::ParseDuration(flags.ttl);
    if (!ttl) return std::unexpected(ttl.error().Wrap("--ttl"));
  }
  if (!flags.expires.empty()) {
    const Result<Time> expires = kube::ParseTime(flags.expires);
    if (!expires) return std::unexpected(expires.error().Wrap("--expires"));
  }
  Result<json::object> spec = json::object();
  json::object meta;
  if (kind == "Reservation") {
    spec = SpecOfReservation(object, flags);
    if (const json::object* given = ObjectAt(object, {"metadata"})) {
      for (const std::string_view key :
           {"labels", "annotations", "ownerReferences", "finalizers"}) {
        if (const json::value* value = given->if_contains(key)) meta[key] = *value;
      }
    }
  } else if (kind == "Pod" || kind == "Deployment" || kind == "ReplicaSet" ||
             kind == "StatefulSet" || kind == "Job") {
    spec = SpecForPods(object, kind, from, flags);
  } else {
    return Bad(fmt::format(
        "cannot reserve room for a {}: want a Pod, Deployment, ReplicaSet, StatefulSet, Job or "
        "Reservation",
        kind.empty() ? "thing without a kind" : kind));
  }
  if (!spec) return std::unexpected(spec.error());
  if (!flags.owners.empty()) {
    Result<json::array> owners = ReadOwners(flags.owners);
    if (!owners) return std::unexpected(owners.error());
    (*spec)["owners"] = std::move(*owners);
  }
  if (!flags.queue.empty()) (*spec)["queue"] = flags.queue;
  if (!flags.ttl.empty()) (*spec)["ttl"] = flags.ttl;
  if (!flags.expires.empty()) (*spec)["expires"] = flags.expires;
  meta["name"] = flags.name;
  meta["namespace"] = flags.ns;
  return json::object{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                      {"kind", "Reservation"},
                      {"metadata", std::move(meta)},
                      {"spec", std::move(*spec)}};
}

}  // namespace basalt::cli
