#include "kube/client/leader_elector.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "kube/types/codec.h"
#include "kube/types/resource.h"
#include "kube/types/time.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;

// Renewals leave this much room to the deadline.
constexpr double kRetrySlack = 1.2;
// A candidate looks at the lease this often in a retry period: a renewal that it sees late keeps it
// waiting as much longer once the leader is gone. Candidates do not go in step.
constexpr int kLooksPerRetry = 2;
constexpr double kLookJitter = 0.2;
constexpr std::string_view kMergePatch = "application/merge-patch+json";

std::int64_t WholeSeconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
}

}  // namespace

LeaderElector::LeaderElector(ApiClient& api, LeaderElectorOptions options, Callbacks callbacks)
    : api_(api),
      loop_(api.loop()),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      random_(options_.seed),
      attempt_timer_(loop_),
      deadline_timer_(loop_) {
  BASALT_CHECK(!options_.identity.empty());
  BASALT_CHECK(options_.lease_duration >= 1s &&
               options_.lease_duration ==
                   std::chrono::seconds(WholeSeconds(options_.lease_duration)));
  BASALT_CHECK(options_.renew_deadline < options_.lease_duration);
  BASALT_CHECK(options_.retry_period * kRetrySlack < options_.renew_deadline);
}

void LeaderElector::Start() {
  if (state_ != State::kStopped || on_released_) return;
  state_ = State::kCandidate;
  ScheduleAttempt(Duration::zero());
}

void LeaderElector::Stop() {
  scope_.Reset();
  attempt_timer_.Stop();
  attempting_ = false;
  on_released_ = nullptr;
  const bool led = state_ == State::kLeader;
  state_ = State::kStopped;
  leading_until_ = Duration::zero();
  deadline_timer_.Stop();
  if (led && callbacks_.on_stopped_leading) callbacks_.on_stopped_leading();
}

void LeaderElector::Release(std::move_only_function<void()> done) {
  if (state_ != State::kLeader) {
    Stop();
    loop_.Post(scope_.Guard(std::move(done)));
    return;
  }
  state_ = State::kStopped;
  leading_until_ = Duration::zero();
  deadline_timer_.Stop();
  attempt_timer_.Stop();
  on_released_ = std::move(done);
  if (!Call(callbacks_.on_stopped_leading)) return;
  // A renewal under way is waited for: it changes the version that the release must name.
  if (!attempting_) SendRelease();
}

bool LeaderElector::IsLeader() const {
  const Duration until = leading_until_;
  return until != Duration::zero() && loop_.Monotonic() < until;
}

bool LeaderElector::Call(const std::function<void()>& callback) {
  if (!callback) return true;
  bool alive = false;
  auto look = scope_.Guard([&alive] { alive = true; });
  const auto run = callback;  // outlives an elector that it destroys
  run();
  look();
  return alive;
}

void LeaderElector::ScheduleAttempt(Duration delay) {
  attempt_timer_.Start(delay, [this] { Attempt(); });
}

void LeaderElector::Attempt() {
  attempting_ = true;
  // A leader knows the lease's version and need not ask.
  if (state_ == State::kLeader && observed_) {
    Write(true);
  } else {
    Read();
  }
}

void LeaderElector::EndAttempt() {
  attempting_ = false;
  if (on_released_) {
    SendRelease();
  } else if (state_ == State::kLeader) {
    ScheduleAttempt(options_.retry_period);
  } else if (state_ == State::kCandidate) {
    ScheduleAttempt(UntilNextLook());
  }
}

// Not later than when the lease that was seen runs out.
Duration LeaderElector::UntilNextLook() {
  const double most = static_cast<double>((options_.retry_period / kLooksPerRetry).count());
  const Duration pause(
      static_cast<Duration::rep>(most * (1 + kLookJitter * (random_.Uniform() - 1))));
  if (!observed_ || observed_holder_.empty()) return pause;
  const Duration left = observed_at_ + ValidFor(*observed_) - loop_.Monotonic();
  return left > Duration::zero() ? std::min(pause, left) : pause;
}

Duration LeaderElector::ValidFor(const Lease& lease) const {
  return lease.lease_duration_seconds.value_or(0) > 0
             ? std::chrono::seconds(*lease.lease_duration_seconds)
             : options_.lease_duration;
}

void LeaderElector::FailAttempt(std::string_view what, const Error& error) {
  constexpr Duration kBetweenWarnings = 1min;
  last_error_ = error.Wrap(what);
  const Duration now = loop_.Monotonic();
  if (!warned_at_ || now - *warned_at_ >= kBetweenWarnings) {
    warned_at_ = now;
    log::Warning(what, {{"lease", options_.ns + "/" + options_.name},
                        {"leading", IsLeader()},
                        {"error", error.message}});
  }
  EndAttempt();
}

Duration LeaderElector::AttemptTimeout() const {
  // A request that hangs must leave time for another.
  return options_.renew_deadline / 2;
}

std::string LeaderElector::Target(bool collection) const {
  return resources::kLeases.Path(options_.ns, collection ? "" : options_.name);
}

void LeaderElector::Read() {
  api_.Send({.path = Target(false), .timeout = AttemptTimeout()},
            scope_.Guard([this](Result<ApiResponse> result) { OnRead(std::move(result)); }));
}

void LeaderElector::OnRead(Result<ApiResponse> result) {
  if (!result) {
    if (result.error().code == ErrorCode::kNotFound && state_ != State::kStopped) {
      Create();
      return;
    }
    FailAttempt("cannot read the lease", result.error());
    return;
  }
  Result<Lease> lease = Decode<Lease>(result->body);
  if (!lease) {
    FailAttempt("the lease cannot be decoded", lease.error());
    return;
  }
  last_error_.reset();
  if (!Observe(*lease)) return;
  if (state_ == State::kStopped) {
    EndAttempt();
    return;
  }
  const bool ours = observed_holder_ == options_.identity;
  if (ours || observed_holder_.empty() || loop_.Monotonic() >= observed_at_ + ValidFor(*lease)) {
    Write(false);
  } else {
    EndAttempt();
  }
}

bool LeaderElector::Observe(const Lease& lease) {
  if (!observed_ || observed_->meta.uid != lease.meta.uid ||
      observed_->meta.resource_version != lease.meta.resource_version) {
    observed_ = lease;
    observed_at_ = loop_.Monotonic();
  }
  if (observed_holder_ == lease.holder_identity) return true;
  observed_holder_ = lease.holder_identity;
  if (state_ == State::kLeader && observed_holder_ != options_.identity) {
    log::Warning("another took the lease",
                 {{"lease", options_.name}, {"holder", observed_holder_}});
    if (!StopLeading()) return false;
  }
  if (observed_holder_.empty() || !callbacks_.on_new_leader) return true;
  return Call([report = callbacks_.on_new_leader, holder = observed_holder_] { report(holder); });
}

void LeaderElector::Create() {
  const Duration sent = loop_.Monotonic();
  const std::string now = FormatMicroTime(loop_.Now());
  const json::object lease{{"apiVersion", resources::kLeases.ApiVersion()},
                           {"kind", resources::kLeases.kind},
                           {"metadata", {{"namespace", options_.ns}, {"name", options_.name}}},
                           {"spec",
                            {{"holderIdentity", options_.identity},
                             {"leaseDurationSeconds", WholeSeconds(options_.lease_duration)},
                             {"acquireTime", now},
                             {"renewTime", now},
                             {"leaseTransitions", 0}}}};
  api_.Send({.method = "POST",
             .path = Target(true),
             .body = json::serialize(lease),
             .timeout = AttemptTimeout()},
            scope_.Guard([this, sent](Result<ApiResponse> result) {
              OnWritten(std::move(result), sent, false);
            }));
}

void LeaderElector::Write(bool renew_first) {
  const Duration sent = loop_.Monotonic();
  const std::string now = FormatMicroTime(loop_.Now());
  json::object spec{{"holderIdentity", options_.identity},
                    {"leaseDurationSeconds", WholeSeconds(options_.lease_duration)},
                    {"renewTime", now}};
  if (observed_holder_ != options_.identity) {
    spec["acquireTime"] = now;
    spec["leaseTransitions"] = observed_->lease_transitions + 1;
  }
  const json::object patch{{"metadata", {{"resourceVersion", observed_->meta.resource_version}}},
                           {"spec", std::move(spec)}};
  api_.Send({.method = "PATCH",
             .path = Target(false),
             .body = json::serialize(patch),
             .content_type = std::string(kMergePatch),
             .timeout = AttemptTimeout()},
            scope_.Guard([this, sent, renew_first](Result<ApiResponse> result) {
              OnWritten(std::move(result), sent, renew_first);
            }));
}

void LeaderElector::OnWritten(Result<ApiResponse> result, Duration sent, bool then_read) {
  if (!result) {
    const ErrorCode code = result.error().code;
    const bool stale = code == ErrorCode::kConflict || code == ErrorCode::kNotFound;
    if (then_read && stale && state_ != State::kStopped) {
      Read();  // our own renewal may have arrived while its answer was lost
      return;
    }
    if (stale || code == ErrorCode::kAlreadyExists) {
      log::Debug("another was quicker", {{"lease", options_.name}});
      EndAttempt();
      return;
    }
    FailAttempt("cannot write the lease", result.error());
    return;
  }
  Result<Lease> lease = Decode<Lease>(result->body);
  if (!lease) {
    FailAttempt("the lease cannot be decoded", lease.error());
    return;
  }
  last_error_.reset();
  last_renewal_ = sent;
  const std::string before = observed_holder_;
  observed_ = std::move(*lease);
  observed_at_ = loop_.Monotonic();
  observed_holder_ = options_.identity;
  if (state_ != State::kStopped) {
    if (before != options_.identity && callbacks_.on_new_leader &&
        !Call([report = callbacks_.on_new_leader, id = options_.identity] { report(id); })) {
      return;
    }
    auto end = scope_.Guard([this] { EndAttempt(); });
    Lead(sent);
    end();
    return;
  }
  EndAttempt();
}

void LeaderElector::Lead(Duration sent) {
  const Duration until = sent + options_.renew_deadline;
  if (loop_.Monotonic() >= until) return;  // the answer took too long to be worth anything
  leading_until_ = until;
  deadline_timer_.Start(until - loop_.Monotonic(), [this] {
    log::Warning("the lease could not be renewed in time", {{"lease", options_.name}});
    StopLeading();
  });
  if (state_ == State::kLeader) return;
  state_ = State::kLeader;
  log::Info("leading", {{"lease", options_.name}, {"identity", options_.identity}});
  Call(callbacks_.on_started_leading);
}

bool LeaderElector::StopLeading() {
  deadline_timer_.Stop();
  state_ = State::kCandidate;
  leading_until_ = Duration::zero();
  if (!attempting_) ScheduleAttempt(options_.retry_period);
  return Call(callbacks_.on_stopped_leading);
}

void LeaderElector::SendRelease() {
  if (observed_holder_ != options_.identity) {
    auto done = std::exchange(on_released_, nullptr);
    done();
    return;
  }
  const std::string now = FormatMicroTime(loop_.Now());
  const json::object patch{{"metadata", {{"resourceVersion", observed_->meta.resource_version}}},
                           {"spec",
                            {{"holderIdentity", nullptr},
                             {"leaseDurationSeconds", 1},
                             {"acquireTime", now},
                             {"renewTime", now}}}};
  api_.Send({.method = "PATCH",
             .path = Target(false),
             .body = json::serialize(patch),
             .content_type = std::string(kMergePatch),
             .timeout = AttemptTimeout()},
            scope_.Guard([this](Result<ApiResponse> result) {
              if (!result) {
                log::Debug("the lease was not released", {{"error", result.error().message}});
              } else {
                observed_holder_.clear();
              }
              auto done = std::exchange(on_released_, nullptr);
              done();
            }));
}

}  // namespace basalt::kube
