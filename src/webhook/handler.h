#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/metrics.h"
#include "net/http.h"
#include "webhook/policy.h"
#include "webhook/routes.h"
#include "webhook/snapshot.h"

namespace basalt::webhook {

struct HandlerOptions {
  Policy policy;
  std::vector<const Route*> routes;  // empty: all
  // How long a verdict that rests on what the snapshot lacks waits for the snapshot to change: what
  // was created a moment ago reaches us a moment later.
  Duration patience = 300ms;
};

// Answers admission requests: reads the review, judges it by its route, writes the answer. What is
// no review is refused (400, 404, 405, 415); what cannot be judged since the cluster is not known
// yet, with 503. Owned by the role; `snapshot` must outlive it. Loop thread only.
class Handler {
 public:
  Handler(Loop& loop, const Snapshot& snapshot, HandlerOptions options,
          metrics::Registry* metrics = nullptr);
  ~Handler();

  // The refusal of what is no review by its header alone (404, 405, 415), before its body is read.
  std::optional<net::HttpResponse> Judge(const net::HttpRequest& head);
  void Handle(net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange);

  // The snapshot holds the whole cluster.
  void SetSynced();
  bool synced() const { return synced_; }
  // The snapshot has changed: requests that wait are judged again.
  void OnSnapshotChanged();

 private:
  struct Waiting;

  const Route* Serves(std::string_view target) const;
  // True: it was answered. `last`: it is answered in any case.
  bool TryAnswer(const Route& route, const kube::AdmissionRequest& request,
                 net::HttpExchange& exchange, Duration started, bool last);
  void Count(const Route& route, std::string_view result, Duration started);

  Loop& loop_;
  const Snapshot& snapshot_;
  HandlerOptions options_;
  metrics::Registry* metrics_;
  bool synced_ = false;
  std::list<Waiting> waiting_;
  bool looking_again_ = false;
  Timer end_of_patience_;
  Scope scope_;

  void LookAgain();
  void WaitForTheFirst();
};

}  // namespace basalt::webhook
