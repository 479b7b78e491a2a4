#include "simnode/sim_nodes.h"

namespace basalt::simnode {

SimNodes::SimNodes(kube::Client& client, SimNodesOptions options)
    : events_(client, {.component = "basalt-simnode"}),
      pods_(client,
            {.is_simulated = [this](std::string_view node) { return nodes_.IsSimulated(node); },
             .ip = [this](std::string_view node) -> const std::string& {
               return nodes_.HostIp(node);
             }},
            options.pods,
            [this](const kube::Pod& pod, std::string_view reason, std::string_view message) {
              events_.Record(kube::ReferenceTo(pod), kube::EventType::kWarning, reason, message);
            }),
      nodes_(client, options.nodes, [this](const std::string& node) { pods_.OnNode(node); }) {}

}  // namespace basalt::simnode
