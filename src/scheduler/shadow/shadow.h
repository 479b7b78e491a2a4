#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/metrics.h"
#include "kube/client/client.h"
#include "kube/client/pretended_writes.h"
#include "scheduler/service/scheduler_service.h"
#include "scheduler/shadow/shadow_ledger.h"

namespace basalt::scheduler {

// A scheduler that works beside another on the same cluster, writes nothing, and says what it would
// have done otherwise.
//
// All of its client's writes are pretended, so nothing can leave, whatever part of it writes. What
// it decides stands in its state as if it were so, until the pod shows what the other has done, or
// for the ledger's patience: then the pod is put back as the API server has it. Loop thread only.
class Shadow {
 public:
  // `options` without an election: the other one has the lease.
  Shadow(Loop& loop, kube::ApiClient& api, SchedulerServiceOptions options,
         ShadowOptions shadow = {});

  SchedulerService& service() { return *service_; }
  const SchedulerService& service() const { return *service_; }
  kube::Client& client() { return client_; }
  const ShadowLedger& ledger() const { return ledger_; }
  std::uint64_t pretended() const { return writes_.pretended(); }
  boost::json::value Report() const;

  void Start();
  void Stop(Callback done);

 private:
  SchedulerServiceOptions Watched(SchedulerServiceOptions options);
  void Decided(const std::vector<model::Intent>& intents);
  void Saw(const kube::InformerEvent<kube::Pod>& event);
  void Tick();
  void Collect();

  Loop& loop_;
  kube::PretendedWrites writes_;
  kube::Client client_;
  metrics::Registry* metrics_;
  ShadowLedger ledger_;
  Time since_;
  std::unique_ptr<SchedulerService> service_;
  Timer tick_;
};

}  // namespace basalt::scheduler
