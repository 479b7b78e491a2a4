#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "apiserver/server.h"
#include "base/loop.h"
#include "base/random.h"
#include "net/http.h"
#include "testing/fault_plan.h"

namespace basalt::testutil {

class DirectConnection;

// The network between any number of DirectApiClients and one server, without sockets: it carries
// requests, responses and watch frames as tasks of one loop, and does to them what its FaultPlan
// says. One seed decides everything. Owned by the test; outlives its clients. Loop thread only.
class DirectNetwork {
 public:
  // What a server can be made to do besides answering. Either may be empty.
  struct ServerControls {
    std::function<void()> compact;
    std::function<void()> close_watches;
  };

  DirectNetwork(Loop& loop, apiserver::Server& server, FaultPlan plan = {}, std::uint64_t seed = 1)
      : DirectNetwork(
            loop,
            [&server](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
              server.Handle(std::move(request), std::move(exchange));
            },
            ServerControls{.compact = [&server] { server.Compact(); },
                           .close_watches = [&server] { server.CloseWatches(); }},
            plan, seed) {}
  DirectNetwork(Loop& loop, net::HttpHandler server, ServerControls controls, FaultPlan plan = {},
                std::uint64_t seed = 1);
  ~DirectNetwork();

  Loop& loop() { return loop_; }
  const FaultPlan& plan() const { return plan_; }
  const FaultCounts& counts() const { return counts_; }
  // From now on. The random sequence goes on; connections that are already doomed stay so.
  void set_plan(FaultPlan plan);

  // The server goes down, which ends all that is under way, and refuses connections for `outage`.
  // It keeps its state.
  void Restart(Duration outage);
  // Watches from before now get 410.
  void Compact();
  bool down() const;

 private:
  friend class DirectConnection;

  Duration Latency();
  void PlanDisasters();
  // A random interval around `mean`.
  Duration Interval(Duration mean);

  Loop& loop_;
  net::HttpHandler server_;
  ServerControls controls_;
  FaultPlan plan_;
  FaultCounts counts_;
  Random random_;
  Duration up_again_{0};  // Monotonic
  std::uint64_t next_connection_ = 1;
  // What is under way, in order of age.
  std::map<std::uint64_t, std::weak_ptr<DirectConnection>> connections_;
  Timer compact_timer_;
  Timer restart_timer_;
};

}  // namespace basalt::testutil
