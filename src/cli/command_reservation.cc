#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "cli/ask_scheduler.h"
#include "cli/cluster_session.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "cli/manifests.h"
#include "cli/reservation_body.h"
#include "cli/reservation_text.h"
#include "cli/showing.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

struct ReservationCommand {
  AskFlags ask;
  std::string verb;
  std::vector<std::string> made_for;  // KIND NAME
  std::string file;
  std::int32_t replicas = 0;
  CLI::Option* replicas_given = nullptr;
  ReservationFlags flags;
};

std::string ReservationsPath(const std::string& ns) {
  const std::string group = "/apis/batch.volcano.sh/v1alpha1";
  return ns.empty() ? group + "/reservations"
                    : fmt::format("{}/namespaces/{}/reservations", group, net::PercentEncode(ns));
}

// The object that room is to be reserved for.
Result<boost::json::object> ReadSource(const ReservationCommand& command, ClusterSession& cluster) {
  if (!command.file.empty()) {
    Result<std::vector<Manifest>> manifests = ReadManifests(command.file);
    if (!manifests) return std::unexpected(manifests.error());
    if (manifests->size() != 1) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: want one object, not {}", command.file, manifests->size()));
    }
    return std::move(manifests->front().object);
  }
  const std::optional<KindPlace> place = PlaceOfKind(command.made_for[0]);
  if (!place) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--for: want pod, deployment, replicaset, statefulset or job, not {}",
                            command.made_for[0]));
  }
  const auto found =
      cluster.Send({.path = fmt::format("{}/namespaces/{}/{}/{}", place->group_path,
                                        net::PercentEncode(command.flags.ns), place->plural,
                                        net::PercentEncode(command.made_for[1]))});
  if (!found) return std::unexpected(found.error());
  const boost::json::object* object = found->if_object();
  return object ? *object : boost::json::object();
}

int CreateReservation(const ReservationCommand& command, ClusterSession& cluster) {
  Result<boost::json::object> source = ReadSource(command, cluster);
  if (!source) return Refused(source.error());
  Result<boost::json::object> body = ReservationBody(
      *source, command.file.empty() ? ReservedFor::kClusterObject : ReservedFor::kFile,
      command.flags);
  if (!body) return Refused(body.error());
  const auto created = cluster.Send({.method = "POST",
                                     .path = ReservationsPath(command.flags.ns),
                                     .body = boost::json::serialize(*body)});
  if (!created) return Refused(created.error());
  if (!PrintForPrograms(command.ask, *created)) {
    fmt::print("reservation {}/{} created\n", command.flags.ns, command.flags.name);
  }
  return kExitOk;
}

Result<std::string> ReservationsNow(const ReservationCommand& command, ClusterSession& cluster) {
  const bool all = command.ask.all_namespaces;
  kube::ApiRequest request{.path = ReservationsPath(all ? "" : command.flags.ns)};
  if (!command.ask.selector.empty()) {
    request.query.emplace_back("labelSelector", command.ask.selector);
  }
  const auto list = cluster.Send(std::move(request));
  if (!list) return std::unexpected(list.error());
  return Formatted(command.ask, *list, "reservation", [&] {
    return ReservationsText(ArrayAt(list->if_object(), "items"), all, cluster.Now(),
                            command.ask.output == "wide");
  });
}

std::string PathOfReservation(const ReservationCommand& command) {
  return ReservationsPath(command.flags.ns) + "/" + net::PercentEncode(command.flags.name);
}

Result<std::string> ReservationNow(const ReservationCommand& command, ClusterSession& cluster) {
  const auto answer = cluster.Send({.path = PathOfReservation(command)});
  if (!answer) return std::unexpected(answer.error());
  return Formatted(command.ask, *answer, "reservation", [&] {
    return answer->is_object() ? ReservationText(answer->get_object(), cluster.Now()) : "";
  });
}

int DeleteReservation(const ReservationCommand& command, ClusterSession& cluster) {
  const auto answer = cluster.Send({.method = "DELETE", .path = PathOfReservation(command)});
  if (!answer) return Refused(answer.error());
  if (!PrintForPrograms(command.ask, *answer)) {
    fmt::print("reservation {}/{} deleted\n", command.flags.ns, command.flags.name);
  }
  return kExitOk;
}

// "": the command makes sense.
std::string WrongUse(const ReservationCommand& command) {
  const bool create = command.verb == "create", list = command.verb == "list";
  if (list != command.flags.name.empty()) {
    return list ? "reservation list takes no NAME"
                : fmt::format("reservation {} needs the reservation's NAME", command.verb);
  }
  if (command.ask.all_namespaces && !list) return "--all-namespaces is for reservation list";
  if (create && command.made_for.empty() == command.file.empty()) {
    return "reservation create needs either --for KIND NAME or -f FILE";
  }
  const ReservationFlags& flags = command.flags;
  const bool of_create = !command.made_for.empty() || !command.file.empty() ||
                         *command.replicas_given || !flags.queue.empty() || !flags.ttl.empty() ||
                         !flags.expires.empty() || !flags.owners.empty() || !flags.nodes.empty() ||
                         flags.required;
  if (!create && of_create) {
    return "--for, -f, --replicas, --queue, --ttl, --expires, --owner, --node and --required are "
           "for reservation create";
  }
  return "";
}

int RunReservation(ReservationCommand& command) {
  if (const std::string wrong = WrongUse(command); !wrong.empty()) {
    PrintError(wrong);
    return kExitUsage;
  }
  if (*command.replicas_given) command.flags.replicas = command.replicas;
  auto cluster = ClusterSession::Open(command.ask.kubeconfig, command.ask.master);
  if (!cluster) return Refused(cluster.error());
  command.flags.ns = command.ask.ns.empty() ? (*cluster)->ns() : command.ask.ns;
  if (command.verb == "create") return CreateReservation(command, **cluster);
  if (command.verb == "delete") return DeleteReservation(command, **cluster);
  return ShowOrWatch(command.ask, [&] {
    return command.verb == "list" ? ReservationsNow(command, **cluster)
                                  : ReservationNow(command, **cluster);
  });
}

}  // namespace

void AddReservationCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<ReservationCommand>();
  CLI::App* sub = app.add_subcommand(
      "reservation", "create, list, show, delete: room that is held for pods yet to come");
  sub->add_option("verb", command->verb, "create, list, show or delete")
      ->required()
      ->check(OneOf({"create", "list", "show", "delete"}));
  sub->add_option("name", command->flags.name, "the reservation");
  AddNamespaceFlags(*sub, command->ask, "its namespace; without it: that of the kubeconfig");
  sub->add_option("--for", command->made_for,
                  "KIND NAME: room for the pods of a pod, deployment, replicaset, statefulset or "
                  "job that exists")
      ->expected(2);
  sub->add_option("-f,--filename", command->file,
                  "room for the pods of the Pod or workload in this file, or the Reservation as it "
                  "is; -: standard input");
  command->replicas_given =
      sub->add_option("--replicas", command->replicas, "for so many pods; without it: all of it");
  sub->add_option("--queue", command->flags.queue, "the queue that it counts in");
  sub->add_option("--ttl", command->flags.ttl, "it ends so long after its creation: 10m");
  sub->add_option("--expires", command->flags.expires, "it ends then: 2026-01-02T15:04:05Z");
  sub->add_option("--owner", command->flags.owners,
                  "KEY=VALUE: pods with this label may use it; may be given again")
      ->allow_extra_args(false);
  sub->add_option("--node", command->flags.nodes,
                  "on this node, if it fits there; may be given again")
      ->allow_extra_args(false);
  sub->add_flag("--required", command->flags.required, "on these nodes or nowhere");
  AddOutputFlag(*sub, command->ask);
  AddListFlags(*sub, command->ask);
  AddClusterFlags(*sub, command->ask);
  sub->callback([command, &action] { action = [command] { return RunReservation(*command); }; });
}

}  // namespace basalt::cli
