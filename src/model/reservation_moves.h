#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <vector>

#include "model/ids.h"

namespace basalt::model {

class Cluster;
struct ReservationRecord;
struct Task;

// Reservations that hold the next place of a pod that is to be moved (the label
// basalt.sh/migrating-pod names its uid). A move is no growth: while the pod holds its node, the
// two count once in their queue, as the pod, if they are of one namespace and one queue and the
// reservation asks for no more. When the pod leaves, the reservation counts as any other. Of
// several for one pod the oldest is the move; the others are growth. Owned by the Reservations, on
// the Cluster's thread.
class ReservationMoves {
 public:
  explicit ReservationMoves(Cluster& cluster) : cluster_(cluster) {}
  ReservationMoves(const ReservationMoves&) = delete;
  ReservationMoves& operator=(const ReservationMoves&) = delete;

  bool empty() const { return by_uid_.empty(); }
  void Add(ReservationRecord& record);
  void Remove(ReservationRecord& record);

  // What pods do, told only while there is a move.
  void PodCame(const Task& pod);
  void PodLeaves(const Task& pod);
  void PodMoved(const Task& pod);
  // A job has changed its queue.
  void ReviewAll();

 private:
  struct Move {
    std::vector<ReservationRecord*> records;  // the oldest first
  };
  void Review(const Move& move, const Task* pod);
  const Task* FindPod(const std::string& uid) const;

  Cluster& cluster_;
  boost::unordered_flat_map<std::string, Move> by_uid_;  // of the pods that are to be moved
  boost::unordered_flat_map<std::string, TaskId> pods_;  // by uid, while there is a move
};

}  // namespace basalt::model
