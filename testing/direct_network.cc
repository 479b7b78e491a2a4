#include "testing/direct_network.h"

#include <cmath>
#include <utility>
#include <vector>

#include "testing/direct_connection.h"

namespace basalt::testutil {

DirectNetwork::DirectNetwork(Loop& loop, net::HttpHandler server, ServerControls controls,
                             FaultPlan plan, std::uint64_t seed)
    : loop_(loop),
      server_(std::move(server)),
      controls_(std::move(controls)),
      plan_(plan),
      random_(seed),
      compact_timer_(loop),
      restart_timer_(loop) {
  PlanDisasters();
}

DirectNetwork::~DirectNetwork() {
  const auto connections = std::move(connections_);
  connections_.clear();
  for (const auto& [id, weak] : connections) {
    if (const auto connection = weak.lock()) connection->Detach();
  }
}

void DirectNetwork::set_plan(FaultPlan plan) {
  plan_ = plan;
  PlanDisasters();
}

void DirectNetwork::PlanDisasters() {
  compact_timer_.Stop();
  restart_timer_.Stop();
  if (plan_.compact_every > Duration::zero()) {
    compact_timer_.Start(Interval(plan_.compact_every), [this] {
      Compact();
      PlanDisasters();
    });
  }
  if (plan_.restart_every > Duration::zero()) {
    restart_timer_.Start(Interval(plan_.restart_every), [this] {
      Restart(Duration(random_.Below(plan_.most_outage.count() + 1)));
      PlanDisasters();
    });
  }
}

void DirectNetwork::Restart(Duration outage) {
  ++counts_.restarts;
  up_again_ = loop_.Monotonic() + outage;
  // A server that stops in order ends its streams; one that dies does not.
  if (random_.Chance(0.5) && controls_.close_watches) controls_.close_watches();
  std::vector<std::shared_ptr<DirectConnection>> open;
  for (const auto& [id, weak] : connections_) {
    if (auto connection = weak.lock(); connection && connection->at_server()) {
      open.push_back(std::move(connection));
    }
  }
  for (const auto& connection : open) {
    connection->Break({.code = ErrorCode::kUnavailable, .message = "connection reset by peer"});
  }
}

void DirectNetwork::Compact() {
  if (!controls_.compact) return;
  ++counts_.compactions;
  controls_.compact();
}

bool DirectNetwork::down() const { return loop_.Monotonic() < up_again_; }

Duration DirectNetwork::Latency() {
  const auto spread = (plan_.most_latency - plan_.least_latency).count();
  if (spread <= 0) return plan_.least_latency;
  return plan_.least_latency + Duration(random_.Below(spread + 1));
}

Duration DirectNetwork::Interval(Duration mean) {
  return Duration(static_cast<Duration::rep>(-std::log(1 - random_.Uniform()) *
                                             static_cast<double>(mean.count())));
}

}  // namespace basalt::testutil
