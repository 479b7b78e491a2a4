#pragma once

#include <memory>
#include <string>

#include "base/loop.h"
#include "kube/client/client.h"
#include "kube/client/leader_elector.h"

namespace basalt::cli {

// How a lease is held: Kubernetes' defaults.
struct ElectionTimes {
  Duration lease_duration = 15s;  // whole seconds
  Duration renew_deadline = 10s;
  Duration retry_period = 2s;
};
// An error names the flag.
Result<void> CheckElectionTimes(const ElectionTimes& times);

// How a role is elected, where it is: the flags of every role.
struct ElectionFlags {
  bool leader_elect = false;
  std::string lock_namespace = "volcano-system";
  std::string lock_name;  // "": the role's own
  ElectionTimes times;
};

// For this process, with an identity of its own. `name` is the role's own lease.
kube::LeaderElectorOptions ElectionOptions(const ElectionFlags& flags, std::string name);

// A name that no other process has, nor an earlier run of this one: "host_token".
std::string ElectionIdentity();

// Makes a namespace where it is missing, then calls `done`, also when that was refused: it may be
// there all the same, and the first write into it will say what is wrong.
void EnsureNamespace(kube::Client& client, const std::string& name, Callback done);

}  // namespace basalt::cli
