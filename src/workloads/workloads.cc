#include "workloads/workloads.h"

namespace basalt::workloads {

Workloads::Workloads(kube::Client& client)
    : events_(client, {.component = "basalt-workloads"}),
      pods_(client, MakeWarning()),
      replica_sets_(
          client, pods_,
          {.on_set = [this](const auto& event) { deployments_.OnReplicaSet(event); },
           .on_pod = [this](const std::string& ns,
                            const std::string& set_name) { deployments_.OnPodOf(ns, set_name); }}),
      deployments_(client, pods_, replica_sets_, MakeWarning()),
      stateful_sets_(client, pods_, MakeWarning()),
      daemon_sets_(client, pods_, MakeWarning()),
      jobs_(client, pods_, MakeWarning()),
      sync_timer_(client.loop()) {}

Warning Workloads::MakeWarning() {
  return [this](const kube::Resource& kind, const kube::ObjectMeta& object, std::string_view reason,
                std::string_view message) {
    events_.Record({.api_version = kind.ApiVersion(),
                    .kind = std::string(kind.kind),
                    .ns = object.ns,
                    .name = object.name,
                    .uid = object.uid,
                    .resource_version = object.resource_version},
                   kube::EventType::kWarning, reason, message);
  };
}

void Workloads::Start() {
  pods_.Start();
  replica_sets_.Start();
  deployments_.Start();
  stateful_sets_.Start();
  daemon_sets_.Start();
  jobs_.Start();
  CheckSynced();
}

bool Workloads::HasSynced() const {
  return pods_.HasSynced() && replica_sets_.HasSynced() && deployments_.HasSynced() &&
         stateful_sets_.HasSynced() && daemon_sets_.HasSynced() && jobs_.HasSynced();
}

void Workloads::CheckSynced() {
  if (!HasSynced()) {
    sync_timer_.Start(20ms, [this] { CheckSynced(); });
    return;
  }
  replica_sets_.Kick();
  deployments_.Kick();
  stateful_sets_.Kick();
  daemon_sets_.Kick();
  jobs_.Kick();
}

}  // namespace basalt::workloads
