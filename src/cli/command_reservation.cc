#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>

#include "cli/batch_flags.h"
#include "cli/command.h"
#include "cli/json_fields.h"
#include "cli/kind_words.h"
#include "cli/manifests.h"
#include "cli/reservation_body.h"
#include "cli/reservation_text.h"
#include "cli/showing.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using kube::resources::kReservations;

struct ReservationCommand {
  BatchFlags batch;
  std::vector<std::string> made_for;  // KIND NAME
  std::string file;
  ReservationFlags flags;
};

// The object that room is to be reserved for.
Result<json::object> ReadSource(const ReservationCommand& command, ClusterSession& cluster) {
  if (!command.file.empty()) {
    Result<std::vector<Manifest>> manifests = ReadManifests(command.file);
    if (!manifests) return std::unexpected(manifests.error());
    if (manifests->size() != 1) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: want one object, not {}", command.file, manifests->size()));
    }
    return std::move(manifests->front().object);
  }
  const kube::Resource* resource = ReservableKind(command.made_for[0]);
  if (resource == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--for: want pod, deployment, replicaset, statefulset or job, not {}",
                            command.made_for[0]));
  }
  const auto found =
      cluster.Send({.path = PathOf(*resource, command.flags.ns, command.made_for[1])});
  if (!found) return std::unexpected(found.error());
  return ObjectOf(*found);
}

int CreateReservation(ReservationCommand& command, ClusterSession& cluster) {
  ReservationFlags& flags = command.flags;
  flags.name = command.batch.name;
  flags.ns = command.batch.ask.ns;
  const Result<json::object> source = ReadSource(command, cluster);
  if (!source) return Refused(source.error());
  const Result<json::object> body = ReservationBody(
      *source, command.file.empty() ? ReservedFor::kClusterObject : ReservedFor::kFile, flags);
  if (!body) return Refused(body.error());
  return ReportChange(command.batch.ask,
                      cluster.Send({.method = "POST",
                                    .path = PathOf(kReservations, flags.ns),
                                    .body = json::serialize(*body)}),
                      kReservations, flags.name,
                      fmt::format("reservation {}/{} created", flags.ns, flags.name));
}

int ListReservations(ReservationCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    auto found =
        ListObjects(cluster, kReservations, ask.all_namespaces ? "" : ask.ns, {ask.selector});
    if (!found) return std::unexpected(found.error());
    return Formatted(ask, ListOf(*std::move(found)), "reservation", [&](const json::value& shown) {
      return ReservationsText(ItemsOf(shown), ask, cluster.Now());
    });
  });
}

int ShowReservation(ReservationCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    const auto found = cluster.Send({.path = PathOf(kReservations, ask.ns, command.batch.name)});
    if (!found) return std::unexpected(found.error());
    return Formatted(ask, *found, "reservation", [&](const json::value& shown) {
      return ReservationText(ObjectOf(shown), cluster.Now());
    });
  });
}

int DeleteReservation(ReservationCommand& command, ClusterSession& cluster) {
  const auto& [ask, verb, name, name_flag, rules] = command.batch;
  return ReportChange(
      ask, cluster.Send({.method = "DELETE", .path = PathOf(kReservations, ask.ns, name)}),
      kReservations, name, fmt::format("reservation {}/{} deleted", ask.ns, name));
}

int RunReservation(ReservationCommand& command) {
  const bool create = command.batch.verb == "create";
  const bool unclear = create && command.made_for.empty() == command.file.empty();
  const auto with = [&](int (*run)(ReservationCommand&, ClusterSession&)) {
    return [&command, run](ClusterSession& cluster) { return run(command, cluster); };
  };
  return RunVerb("reservation", command.batch,
                 unclear ? "reservation create needs either --for KIND NAME or -f FILE" : "",
                 {{"create", TakesName::kYes, with(CreateReservation)},
                  {"list", TakesName::kNo, with(ListReservations)},
                  {"show", TakesName::kYes, with(ShowReservation)},
                  {"delete", TakesName::kYes, with(DeleteReservation)}});
}

}  // namespace

void AddReservationCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<ReservationCommand>();
  CLI::App* sub = app.add_subcommand(
      "reservation", "create, list, show, delete: room that is held for pods yet to come");
  AddBatchFlags(*sub, command->batch, {"create", "list", "show", "delete"}, {"list", "show"},
                NameLetters::kNamespaced);
  ReservationFlags& flags = command->flags;
  const CLI::Option* of_create[] = {
      sub->add_option("--for", command->made_for,
                      "KIND NAME: room for the pods of a pod, deployment, replicaset, statefulset "
                      "or job that exists")
          ->type_name("KIND NAME")
          ->expected(2),
      sub->add_option("-f,--filename", command->file,
                      "room for the pods of the Pod or workload in this file, or the Reservation "
                      "as it is; -: standard input")
          ->type_name("FILE"),
      sub->add_option("--replicas", flags.replicas, "for so many pods; without it: all of it"),
      sub->add_option("--queue", flags.queue, "the queue that it counts in"),
      sub->add_option("--ttl", flags.ttl, "it ends so long after its creation: 10m"),
      sub->add_option("--expires", flags.expires, "it ends then: 2026-01-02T15:04:05Z"),
      sub->add_option("--owner", flags.owners,
                      "KEY=VALUE: pods with this label may use it; may be given again")
          ->allow_extra_args(false),
      sub->add_option("--node", flags.nodes, "on this node, if it fits there; may be given again")
          ->allow_extra_args(false),
      sub->add_flag("--required", flags.required, "on these nodes or nowhere")};
  for (const CLI::Option* option : of_create) command->batch.rules.Add(option, {"create"});
  sub->callback([command, &action] { action = [command] { return RunReservation(*command); }; });
}

}  // namespace basalt::cli
