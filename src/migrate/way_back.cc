#include "migrate/way_back.h"

#include <fmt/format.h>

#include <algorithm>

#include "migrate/objects.h"

namespace basalt::migrate {
namespace {

namespace json = boost::json;

// The pods of these schedulers that a queue has not let in: Volcano opens no gates of its own
// accord.
std::vector<std::string> GatedPods(const WayBack& found) {
  std::vector<std::string> gated;
  for (const json::value& pod : found.pods) {
    const std::string_view name = TextAt(pod, {"spec", "schedulerName"});
    if (std::ranges::find(found.scheduler_names, name) == found.scheduler_names.end()) continue;
    const json::array& gates = ArrayIn(pod, {"spec", "schedulingGates"});
    if (std::ranges::any_of(
            gates, [&](const json::value& gate) { return TextAt(gate, {"name"}) == found.gate; })) {
      gated.push_back(NameOf(pod));
    }
  }
  return gated;
}

void AddWebhooks(const json::array& configurations, const char* kind, Findings& findings) {
  for (const json::value& configuration : configurations) {
    if (TextAt(configuration, {"metadata", "name"}) != "basalt-webhook") continue;
    findings.push_back({Finding::Weight::kBlocks, "webhooks",
                        fmt::format("{} basalt-webhook calls Basalt's webhook, and what it judges "
                                    "is refused once that is gone",
                                    kind),
                        fmt::format("kubectl delete {} basalt-webhook when it goes", kind)});
  }
}

}  // namespace

Findings CheckWayBack(const WayBack& found) {
  Findings findings;
  if (const std::vector<std::string> gated = GatedPods(found); !gated.empty()) {
    findings.push_back(
        {Finding::Weight::kBlocks, "pods",
         fmt::format("{}: {}", Count(gated.size(), "pod", "is gated", "are gated"), Some(gated)),
         "without SchedulingGatesQueueAdmission=true in its feature gates Volcano leaves them so "
         "for ever; start Basalt's scheduler and webhook with "
         "--feature-gates=SchedulingGatesQueueAdmission=false first, which opens them"});
  }
  AddWebhooks(found.mutating, "mutatingwebhookconfiguration", findings);
  AddWebhooks(found.validating, "validatingwebhookconfiguration", findings);
  if (found.groups_have_status) {
    findings.push_back({Finding::Weight::kBlocks, "kinds",
                        "PodGroups have a status subresource, which Volcano does not write to",
                        "kubectl apply --server-side --force-conflicts -f Volcano's crd/bases"});
  }
  if (found.reservations > 0) {
    findings.push_back({Finding::Weight::kDiffers, "kinds",
                        Count(found.reservations, "Reservation", "is there", "are there"),
                        "they stay, and nobody keeps the room"});
  }
  return findings;
}

}  // namespace basalt::migrate
