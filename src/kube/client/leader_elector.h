#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "kube/client/api_client.h"
#include "kube/client/leadership.h"
#include "kube/types/lease.h"

namespace basalt::kube {

struct LeaderElectorOptions {
  std::string ns;
  std::string name;               // of the Lease
  std::string identity;           // one that no other process has, nor an earlier run of this one
  Duration lease_duration = 15s;  // whole seconds
  Duration renew_deadline = 10s;  // shorter than lease_duration
  Duration retry_period = 2s;     // between renewals; candidates look twice as often
  std::uint64_t seed = 1;         // of the jitter
};

// Elects one leader among processes by a Lease, as client-go does and together with it.
//
// Time is only measured, never compared between machines: a candidate takes the lease when it has
// not seen it change for the holder's lease duration, on its own clock. A leader stops leading
// renew_deadline after it *sent* its last successful renewal. The lease can be taken at the
// earliest lease_duration after that renewal arrived, which is strictly later, by lease_duration -
// renew_deadline at least: in this time writes that were sent just before must arrive or fail. A
// leader that dies is replaced half a retry_period after its lease has run out, at the latest.
//
// It uses the ApiClient itself, not a Client: its requests must not queue behind others, and each
// is one attempt whose time is known. Owned by the role that it guards, or by a RemoteElector; loop
// thread only, but for IsLeader.
class LeaderElector final : public Leadership {
 public:
  LeaderElector(ApiClient& api, LeaderElectorOptions options, Callbacks callbacks);

  void Start() override;
  // Stops leading, at once, and takes no further part. The lease runs out by itself.
  void Stop();
  void Release(std::move_only_function<void()> done) override;

  // Any thread may ask.
  bool IsLeader() const override;
  // When the last renewal that worked was sent, by Clock::Monotonic; nothing: there was none.
  std::optional<Duration> last_renewal() const { return last_renewal_; }
  // Why the last attempt to read, create or renew the lease failed; nothing: it did not. That
  // another holds the lease, or was quicker, is no failure.
  const std::optional<Error>& last_error() const { return last_error_; }
  const std::string& leader() const override { return observed_holder_; }

 private:
  enum class State { kStopped, kCandidate, kLeader };

  void ScheduleAttempt(Duration delay);
  void Attempt();
  void Read();
  void OnRead(Result<ApiResponse> result);
  void Create();
  // Takes or renews the lease that was last observed.
  void Write(bool renew_first);
  void OnWritten(Result<ApiResponse> result, Duration sent, bool then_read);
  void EndAttempt();
  // How long a candidate waits before it looks at the lease again.
  Duration UntilNextLook();
  Duration ValidFor(const Lease& lease) const;
  // Notes why an attempt failed, warns of it now and then, and ends the attempt.
  void FailAttempt(std::string_view what, const Error& error);
  void Lead(Duration sent);
  // These: false when a callback has stopped or destroyed us.
  bool Observe(const Lease& lease);
  bool StopLeading();
  bool Call(const std::function<void()>& callback);
  void SendRelease();
  Duration AttemptTimeout() const;
  std::string Target(bool collection) const;

  ApiClient& api_;
  Loop& loop_;
  const LeaderElectorOptions options_;
  const Callbacks callbacks_;
  Random random_;

  State state_ = State::kStopped;
  bool attempting_ = false;
  std::atomic<Duration> leading_until_ = Duration::zero();  // zero: it does not lead

  std::optional<Duration> last_renewal_;
  std::optional<Error> last_error_;
  std::optional<Duration> warned_at_;

  std::optional<Lease> observed_;
  Duration observed_at_{0};
  std::string observed_holder_;
  std::move_only_function<void()> on_released_;  // set while Release is under way

  Timer attempt_timer_;
  Timer deadline_timer_;
  Scope scope_;
};

}  // namespace basalt::kube
