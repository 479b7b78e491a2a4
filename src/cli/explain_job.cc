#include "cli/explain_job.h"

#include <fmt/core.h>

#include <optional>

#include "cli/batch_flags.h"
#include "cli/job_explanation.h"
#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// Empty where there is none; nothing where that cannot be found out.
std::optional<json::object> ObjectIfKnown(ClusterSession& cluster, const std::string& path) {
  const auto found = cluster.Send({.path = path});
  if (found) return ObjectOf(*found);
  if (found.error().code == ErrorCode::kNotFound) return json::object();
  return std::nullopt;
}

}  // namespace

Result<json::object> ExplainJobOf(AskFlags flags, const std::string& name) {
  auto session = ClusterSession::Open(flags.cluster);
  if (!session) return std::unexpected(session.error());
  ClusterSession& cluster = **session;
  if (flags.ns.empty()) flags.ns = cluster.ns();
  JobFacts facts;
  auto job = cluster.Send({.path = PathOf(resources::kVcJobs, flags.ns, name)});
  if (!job) return std::unexpected(job.error());
  facts.job = ObjectOf(*job);

  const std::string uid = MetaText(facts.job, "uid");
  for (const std::string& group : {fmt::format("{}-{}", name, uid), name}) {
    facts.pod_group = ObjectIfKnown(cluster, PathOf(resources::kPodGroups, flags.ns, group))
                          .value_or(json::object());
    if (facts.pod_group.empty()) continue;
    const auto answer = AskScheduler(
        flags, fmt::format("/v1/explain/podgroup/{{namespace}}/{}", net::PercentEncode(group)));
    if (answer && answer->is_object()) facts.scheduler_says = answer->get_object();
    break;
  }
  facts.queue = ObjectIfKnown(cluster, PathOf(resources::kQueues, "", QueueOf(facts.job)));
  auto pods = ListObjects(cluster, resources::kPods, flags.ns, {"volcano.sh/job-name=" + name});
  if (pods) facts.pods = *std::move(pods);
  if (const auto claims = ListObjects(cluster, resources::kPersistentVolumeClaims, flags.ns)) {
    facts.claims.emplace();
    for (const json::value& claim : *claims) {
      facts.claims->insert(MetaText(ObjectOf(claim), "name"));
    }
  }
  return ExplainJob(facts);
}

}  // namespace basalt::cli
