#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "descheduler/migration/acts.h"
#include "kube/types/node.h"
#include "kube/types/reservation.h"

namespace basalt::descheduler {

// What earlier migrations have left in the cluster: of a process that died, or a write whose answer
// was lost (contract C8, W19). A move that had not evicted is undone; one that had is waited for,
// for so long as a replacement may take; then nothing of it is left. It never evicts a pod: a
// tenant that makes a reservation with our labels loses that reservation, and nothing else happens.
//
// A pure state machine, like Migration: Step says what to do, the other calls tell how it ended.
// Owned by a Migrator; loop thread only.
class Leftovers {
 public:
  // `descheduler`: our lock namespace.
  explicit Leftovers(std::string descheduler) : descheduler_(std::move(descheduler)) {}

  struct Sight {
    // Reservations with our label that belong to no migration that is under way.
    std::vector<std::shared_ptr<const kube::Reservation>> reservations;
    // Nodes with the taint of a plan that is not under way.
    std::vector<std::shared_ptr<const kube::Node>> nodes;
    // Whether the pod is there and stays.
    std::function<bool(std::string_view ns, std::string_view uid)> pod_stays;
  };
  // `most_wait`: how long a replacement may take.
  std::vector<Act> Step(Duration now, Duration most_wait, const Sight& sight);
  std::optional<Duration> wake_at() const { return wake_at_; }

  void Unreserved(std::string_view ns, std::string_view name, Answer answer);
  void TaintSet(const std::string& node, Answer answer);

 private:
  struct Write {
    bool under_way = false;
    Duration again{0};
  };
  struct Left {
    Duration first_seen{0};
    Write write;
  };
  bool IsOurs(std::string_view plan) const;
  bool MaySend(Write& write, Duration now);

  std::string descheduler_;
  std::map<std::string, Left> reservations_;        // by "ns/name uid"
  std::map<std::string, Write> untaints_;           // by node
  std::set<std::string, std::less<>> their_plans_;  // of the reservations that were found
  std::optional<Duration> wake_at_;
};

}  // namespace basalt::descheduler
