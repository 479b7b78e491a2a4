#include "cli/explain_job.h"

#include <fmt/core.h>

#include "cli/batch_flags.h"
#include "cli/job_explanation.h"
#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// Empty where there is none.
json::object ObjectOrNothing(ClusterSession& cluster, const std::string& path) {
  const auto found = cluster.Send({.path = path});
  return found && found->is_object() ? found->get_object() : json::object();
}

}  // namespace

Result<json::object> ExplainJobOf(AskFlags flags, const std::string& name) {
  auto session = ClusterSession::Open(flags.kubeconfig, flags.master);
  if (!session) return std::unexpected(session.error());
  ClusterSession& cluster = **session;
  if (flags.ns.empty()) flags.ns = cluster.ns();
  JobFacts facts;
  auto job = cluster.Send({.path = PathOf(resources::kVcJobs, flags.ns, name)});
  if (!job) return std::unexpected(job.error());
  if (job->is_object()) facts.job = std::move(job->get_object());

  const std::string uid = TextAt(ObjectAt(facts.job, {"metadata"}), "uid");
  for (const std::string& group : {fmt::format("{}-{}", name, uid), name}) {
    facts.pod_group = ObjectOrNothing(cluster, PathOf(resources::kPodGroups, flags.ns, group));
    if (facts.pod_group.empty()) continue;
    const auto answer = AskScheduler(
        flags, fmt::format("/v1/explain/podgroup/{{namespace}}/{}", net::PercentEncode(group)));
    if (answer && answer->is_object()) facts.scheduler_says = answer->get_object();
    break;
  }
  std::string queue = TextAt(ObjectAt(facts.job, {"spec"}), "queue");
  if (queue.empty()) queue = "default";
  facts.queue = ObjectOrNothing(cluster, PathOf(resources::kQueues, "", queue));
  const auto pods =
      ListItems(cluster, {.path = PathOf(resources::kPods, flags.ns),
                          .query = {{"labelSelector", "volcano.sh/job-name=" + name}}});
  if (pods) facts.pods = *pods;
  const auto claims =
      ListItems(cluster, {.path = PathOf(resources::kPersistentVolumeClaims, flags.ns)});
  if (claims) {
    for (const json::value& claim : *claims) {
      if (claim.is_object()) {
        facts.claims.insert(TextAt(ObjectAt(claim.get_object(), {"metadata"}), "name"));
      }
    }
  }
  return ExplainJob(facts);
}

}  // namespace basalt::cli
