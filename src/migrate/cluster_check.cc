#include "migrate/cluster_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "migrate/objects.h"

namespace basalt::migrate {
namespace {

namespace json = boost::json;
using Weight = Finding::Weight;

struct Argument {
  std::string_view flag;
  std::string_view means;
};
constexpr std::array kArguments{
    Argument{"--plugins-dir", "plugins of your own are not loaded"},
    Argument{"--scheduler-sharding-mode", "there is no sharding: one scheduler has all nodes"},
    Argument{"--ignored-provisioners", "volumes of these provisioners count as any other"},
    Argument{"--percentage-nodes-to-find", "all nodes are looked at, always"},
    Argument{"--csi-storage", "the capacity that CSI drivers tell is not looked at"},
    Argument{"--admission-conf",
             "the webhook has no resource groups: labels, tolerations and affinity "
             "by namespace are not added to pods"},
};

}  // namespace

const std::vector<std::string>& KindsLeftAlone() {
  static const std::vector<std::string> kinds = {
      "colocationconfigurations.config.volcano.sh", "datadependencies.datadependency.volcano.sh",
      "nodeshards.shard.volcano.sh", "numatopologies.nodeinfo.volcano.sh"};
  return kinds;
}

Findings CheckKinds(const std::vector<std::string>& crds, const std::vector<KindCount>& objects) {
  Findings findings;
  for (const KindCount& kind : objects) {
    if (kind.objects == 0) continue;
    findings.push_back(
        {Weight::kDiffers, "kinds",
         fmt::format("{} of {}", Count(kind.objects, "object", "is", "are"), kind.name),
         "they stay, and nobody works on them"});
  }
  const auto has = [&](std::string_view name) {
    return std::ranges::find(crds, name) != crds.end();
  };
  if (!has("podgroups.scheduling.volcano.sh")) {
    findings.push_back({Weight::kNote, "kinds", "Volcano's kinds are not here",
                        "basalt crds | kubectl apply --server-side -f -"});
  } else if (!has("reservations.batch.volcano.sh")) {
    findings.push_back(
        {Weight::kNote, "kinds", "Reservations are not here: Volcano has none",
         "to have them: basalt crds | kubectl apply --server-side --force-conflicts -f -"});
  }
  return findings;
}

Findings CheckWebhooks(const json::array& mutating, const json::array& validating) {
  Findings findings;
  for (const json::array* list : {&mutating, &validating}) {
    for (const json::value& configuration : *list) {
      bool volcanos = false;
      bool fails = false;
      for (const json::value& hook : ArrayIn(configuration, {"webhooks"})) {
        if (TextAt(hook, {"clientConfig", "service", "name"}).find("admission-service") ==
                std::string_view::npos &&
            !TextAt(hook, {"name"}).ends_with(".volcano.sh")) {
          continue;
        }
        volcanos = true;
        fails = fails || TextAt(hook, {"failurePolicy"}) != "Ignore";
      }
      // Ours has hooks of the same kinds under a name of its own.
      if (!volcanos || TextAt(configuration, {"metadata", "name"}) == "basalt-webhook") continue;
      const char* kind =
          list == &mutating ? "mutatingwebhookconfiguration" : "validatingwebhookconfiguration";
      findings.push_back(
          {fails ? Weight::kBlocks : Weight::kDiffers, "webhooks",
           fmt::format("{} {} calls Volcano's webhook{}", kind, NameOf(configuration),
                       fails ? ", and what it judges is refused once that is gone" : ""),
           fmt::format("kubectl delete {} {} when Volcano's webhook goes", kind,
                       NameOf(configuration))});
    }
  }
  return findings;
}

Findings CheckPods(const json::array& pods, const std::vector<std::string>& scheduler_names) {
  std::size_t running = 0;
  std::vector<std::string> waiting;
  std::vector<std::string> gated;
  std::vector<std::string> nominated;
  std::vector<std::string> claims;
  for (const json::value& pod : pods) {
    const std::string_view name = TextAt(pod, {"spec", "schedulerName"});
    const std::string_view phase = TextAt(pod, {"status", "phase"});
    if (std::ranges::find(scheduler_names, name) == scheduler_names.end()) continue;
    if (phase == "Succeeded" || phase == "Failed") continue;
    if (!ArrayIn(pod, {"spec", "resourceClaims"}).empty()) claims.push_back(NameOf(pod));
    if (!TextAt(pod, {"spec", "nodeName"}).empty()) {
      ++running;
    } else if (!ArrayIn(pod, {"spec", "schedulingGates"}).empty()) {
      gated.push_back(NameOf(pod));
    } else if (!TextAt(pod, {"status", "nominatedNodeName"}).empty()) {
      nominated.push_back(NameOf(pod));
    } else {
      waiting.push_back(NameOf(pod));
    }
  }
  Findings findings;
  const auto note = [&](const std::vector<std::string>& names, std::string_view one,
                        std::string_view many, const char* remedy) {
    if (names.empty()) return;
    findings.push_back({Weight::kNote, "pods",
                        fmt::format("{}: {}", Count(names.size(), "pod", one, many), Some(names)),
                        remedy});
  };
  if (running > 0) {
    findings.push_back({Weight::kNote, "pods", Count(running, "pod", "has a node", "have nodes"),
                        "they stay where they are and count in their queues"});
  }
  note(waiting, "waits", "wait", "Basalt places them");
  note(gated, "is gated", "are gated", "queue-allocation gates go when the queue admits the pod");
  note(nominated, "is promised a node", "are promised nodes",
       "the promise is kept where it can be");
  if (!claims.empty()) {
    findings.push_back(
        {Weight::kDiffers, "pods",
         fmt::format("{}: {}",
                     Count(claims.size(), "pod", "asks for devices by resource claims",
                           "ask for devices by resource claims"),
                     Some(claims)),
         "those without a node wait with the reason NotSupported"});
  }
  return findings;
}

Findings CheckGroups(const json::array& groups) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const json::value& group : groups) {
    if (TextAt(group, {"spec", "networkTopology", "mode"}) == "hard") {
      by_reason["a hard networkTopology"].push_back(NameOf(group));
    }
    if (!ArrayIn(group, {"spec", "subGroupPolicy"}).empty()) {
      by_reason["a subGroupPolicy"].push_back(NameOf(group));
    }
  }
  Findings findings;
  for (const auto& [reason, names] : by_reason) {
    findings.push_back(
        {Weight::kDiffers, "groups",
         fmt::format("{}: {}", Count(names.size(), "PodGroup", "has " + reason, "have " + reason),
                     Some(names)),
         "their pods without a node wait with the reason NotSupported"});
  }
  return findings;
}

Findings CheckWorkloads(const json::array& deployments, const json::array& daemon_sets) {
  Findings findings;
  for (const json::value& deployment : deployments) {
    for (const json::value& container :
         ArrayIn(deployment, {"spec", "template", "spec", "containers"})) {
      for (const json::value& given : ArrayIn(container, {"args"})) {
        if (!given.is_string()) continue;
        const std::string_view text = given.get_string();
        const std::string_view flag = text.substr(0, text.find('='));
        const auto known = std::ranges::find(kArguments, flag, &Argument::flag);
        if (known == kArguments.end() || text.ends_with("=none") || text.ends_with("=false"))
          continue;
        findings.push_back({Weight::kDiffers, "arguments",
                            fmt::format("{} is started with {}", NameOf(deployment), text),
                            std::string(known->means)});
      }
    }
    if (TextAt(deployment, {"metadata", "name"}).find("agent-scheduler") !=
        std::string_view::npos) {
      findings.push_back({Weight::kDiffers, "parts", fmt::format("{} runs", NameOf(deployment)),
                          "Basalt has no second scheduler for agents: its pods need another"});
    }
  }
  for (const json::value& set : daemon_sets) {
    if (TextAt(set, {"metadata", "name"}).find("agent") == std::string_view::npos) continue;
    findings.push_back({Weight::kDiffers, "parts", fmt::format("{} runs on the nodes", NameOf(set)),
                        "colocation by Volcano's agent has no counterpart"});
  }
  return findings;
}

}  // namespace basalt::migrate
