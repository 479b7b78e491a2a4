#include "simnode/node_keeper.h"

#include "base/log.h"
#include "simnode/node_status.h"

namespace basalt::simnode {
namespace {

const kube::Resource kNodes = kube::resources::kNodes;
const kube::Resource kLeases = kube::resources::kLeases;
constexpr std::string_view kLeaseNamespace = "kube-node-lease";

}  // namespace

NodeKeeper::NodeKeeper(kube::Client& client, NodeKeeperOptions options,
                       std::function<void(const std::string&)> on_simulated)
    : client_(client),
      options_(std::move(options)),
      on_simulated_(std::move(on_simulated)),
      addresses_("172.16.0.1", 20),
      nodes_(client, [this](const auto& event) { OnEvent(event); }),
      status_queue_(client.loop(), {.parallel = options_.parallel},
                    [this](const std::string& name, WorkQueue::Done done) {
                      Reconcile(name, std::move(done));
                    }),
      lease_queue_(client.loop(), {.parallel = options_.parallel},
                   [this](const std::string& name, WorkQueue::Done done) {
                     Heartbeat(name, std::move(done));
                   }) {}

void NodeKeeper::OnEvent(const kube::InformerEvent<kube::Node>& event) {
  switch (event.kind) {
    case kube::InformerEventKind::kAdded:
    case kube::InformerEventKind::kUpdated: Follow(*event.object); break;
    case kube::InformerEventKind::kDeleted: Forget(event.old_object->meta.name); break;
    case kube::InformerEventKind::kSynced: break;
  }
}

bool NodeKeeper::Selects(const kube::Node& node) const {
  return options_.selector.Matches(node.meta.labels) &&
         (options_.annotation.empty() || node.meta.annotations.Contains(options_.annotation));
}

void NodeKeeper::Follow(const kube::Node& node) {
  const std::string& name = node.meta.name;
  if (!Selects(node)) return Forget(name);
  const std::string ip = InternalIp(node);
  const auto [entry, added] = ips_.try_emplace(name);
  if (!ip.empty()) {
    addresses_.MarkUsed(ip);
    entry->second = ip;
  } else if (entry->second.empty()) {
    entry->second = addresses_.Take();
  }
  if (!LooksHealthy(node)) status_queue_.Add(name);
  if (!added) return;
  if (options_.heartbeats) lease_queue_.Add(name);
  on_simulated_(name);
}

void NodeKeeper::Forget(const std::string& name) {
  const auto found = ips_.find(name);
  if (found == ips_.end()) return;
  addresses_.Release(found->second);
  ips_.erase(found);
  last_status_.erase(name);
}

void NodeKeeper::Reconcile(const std::string& name, WorkQueue::Done done) {
  const auto node = nodes_.store().Find("", name);
  if (node == nullptr || !IsSimulated(name) || (LooksHealthy(*node) && !StatusIsDue(name))) {
    return done(true);
  }
  last_status_[name] = client_.loop().Monotonic();
  client_.Patch(
      {kNodes, "", name, "status"}, kube::PatchKind::kStrategic,
      HealthyStatusPatch(*node, client_.loop().Now(), HostIp(name)),
      scope_.Guard([this, name, done = std::move(done)](Result<kube::ApiResponse> result) mutable {
        if (result || result.error().code == ErrorCode::kNotFound ||
            result.error().code == ErrorCode::kConflict) {
          return done(true);
        }
        log::Warning("cannot write a node's status",
                     {{"node", name}, {"error", result.error().message}});
        last_status_.erase(name);
        done(false);
      }));
}

bool NodeKeeper::StatusIsDue(const std::string& name) const {
  if (!options_.heartbeats) return false;
  const auto last = last_status_.find(name);
  return last == last_status_.end() ||
         client_.loop().Monotonic() - last->second >= options_.status_interval;
}

void NodeKeeper::Heartbeat(const std::string& name, WorkQueue::Done done) {
  const auto node = nodes_.store().Find("", name);
  if (node == nullptr || !IsSimulated(name)) return done(true);
  if (StatusIsDue(name)) status_queue_.Add(name);
  client_.Patch({kLeases, kLeaseNamespace, name}, kube::PatchKind::kMerge,
                LeaseRenewal(*node, client_.loop().Now()),
                scope_.Guard([this, node, name,
                              done = std::move(done)](Result<kube::ApiResponse> result) mutable {
                  if (!result && result.error().code == ErrorCode::kNotFound) {
                    return CreateLease(*node, name, std::move(done));
                  }
                  if (result) lease_queue_.AddAfter(name, options_.lease_interval);
                  done(result.has_value());
                }));
}

void NodeKeeper::CreateLease(const kube::Node& node, const std::string& name,
                             WorkQueue::Done done) {
  client_.Create(
      {kLeases, kLeaseNamespace}, NewLease(node, client_.loop().Now()),
      scope_.Guard([this, name, done = std::move(done)](Result<kube::ApiResponse> result) mutable {
        const bool ok = result || result.error().code == ErrorCode::kAlreadyExists;
        if (ok) lease_queue_.AddAfter(name, options_.lease_interval);
        done(ok);
      }));
}

}  // namespace basalt::simnode
