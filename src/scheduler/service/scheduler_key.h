#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/loop.h"
#include "kube/client/client.h"

namespace basalt::scheduler {

// The key that all schedulers of a cluster share, in a Secret that tenants cannot read: what they
// write on pods is sealed with it (base/signer.h). Made where it is missing, by the scheduler that
// comes first, with its namespace. It is never changed: what was sealed with another one does not
// count. To change it, delete the Secret and start the schedulers anew.
//
// `client` must outlive it. Loop thread only.
class SchedulerKey {
 public:
  static constexpr std::string_view kSecretName = "basalt-scheduler-key";
  using Done = std::function<void(Result<std::string> key)>;

  // `make_key`: a new one, unguessable.
  SchedulerKey(kube::Client& client, std::string ns, std::function<std::string()> make_key);

  // Calls `done` once. An error: Secrets may not be read or made here.
  void Get(Done done);

 private:
  void Read(int attempts_left);
  void Create(int attempts_left);
  void MakeNamespace(int attempts_left);
  void Finish(Result<std::string> key);

  kube::Client& client_;
  std::string ns_;
  std::function<std::string()> make_key_;
  Done done_;
  Scope scope_;
};

}  // namespace basalt::scheduler
