#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/loop.h"
#include "kube/client/leader_elector.h"

namespace basalt::kube {

// An elector on another loop than the role that it guards, so that the lease is renewed however
// long the role's loop is busy. The elector lives on the loop of its ApiClient. This side of it is
// owned by the role, and its calls are for the thread of the role's loop, but for elector().
//
// A term of leadership counts here only from the callback that announced it to the one that ends
// it: a lease that was lost and won again while the role was busy is another term, and IsLeader is
// false until the role has heard of both.
class RemoteElector final : public Leadership {
 public:
  // Runs a callback on the elector's loop and waits for its end.
  using RunThere = std::function<void(Callback)>;

  // `home` is the role's loop. All outlive it.
  RemoteElector(Loop& home, ApiClient& api, RunThere run_there, LeaderElectorOptions options,
                Callbacks callbacks);
  ~RemoteElector() override;

  void Start() override;
  void Release(std::move_only_function<void()> done) override;
  bool IsLeader() const override;
  const std::string& leader() const override { return leader_; }

  // On the elector's loop only.
  const LeaderElector& elector() const { return *elector_; }

 private:
  Callbacks Announcing();

  static constexpr std::uint64_t kNoTerm = 0;

  Loop& home_;
  Loop& there_;
  RunThere run_there_;
  const Callbacks callbacks_;
  std::unique_ptr<LeaderElector> elector_;
  std::atomic<std::uint64_t> term_ = kNoTerm;  // written on the elector's loop
  std::uint64_t terms_ = 0;                    // on the elector's loop
  std::uint64_t heard_of_ = kNoTerm;           // on the role's loop
  std::string leader_;
  Scope at_home_;
};

}  // namespace basalt::kube
