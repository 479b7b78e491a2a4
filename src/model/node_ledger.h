#pragma once

#include <vector>

#include "model/amounts.h"
#include "model/exact.h"
#include "model/ids.h"

namespace basalt::model {

// What is allocatable, used, leaving and promised on every node: for each dimension one array over
// the nodes, so that a filter or a score over all nodes is a loop over arrays. Undefined is zero.
// Amounts are whole numbers, and what comes and goes restores them bit for bit (see exact.h). Owned
// by the Cluster, on its thread.
class NodeLedger {
 public:
  int dimensions() const { return static_cast<int>(rows_.size()); }

  // Arrays indexed by NodeId. A dimension that no node has seen is an array of zeros.
  const double* allocatable(int d) const { return Row(d).allocatable.data(); }
  const double* used(int d) const { return Row(d).used.data(); }
  const double* idle(int d) const { return Row(d).idle.data(); }  // allocatable - used
  const double* releasing(int d) const { return Row(d).releasing.data(); }
  const double* promised(int d) const { return Row(d).promised.data(); }
  const double* future(int d) const { return Row(d).future.data(); }  // idle + releasing - promised

  // What Kubernetes assumes for the tasks there beyond their requests: CPU, memory.
  const double* assumed(int d) const { return assumed_[d].data(); }

  double idle(int d, NodeId node) const { return idle(d)[node.index()]; }
  double future(int d, NodeId node) const { return future(d)[node.index()]; }
  Amounts Allocatable(NodeId node) const { return Column(node, &OfDimension::allocatable); }
  Amounts Used(NodeId node) const { return Column(node, &OfDimension::used); }
  Amounts Idle(NodeId node) const { return Column(node, &OfDimension::idle); }
  Amounts Future(NodeId node) const { return Column(node, &OfDimension::future); }
  Amounts Releasing(NodeId node) const { return Column(node, &OfDimension::releasing); }
  Amounts Promised(NodeId node) const { return Column(node, &OfDimension::promised); }

  // Whether `request` fits into what is idle, or will be (Volcano's LessEqual with Zero).
  bool FitsIdle(const Amounts& request, NodeId node) const {
    return Lacking(request, node, &OfDimension::idle) == 0;
  }
  bool FitsFuture(const Amounts& request, NodeId node) const {
    return Lacking(request, node, &OfDimension::future) == 0;
  }
  DimensionSet LackingInFuture(const Amounts& request, NodeId node) const {
    return Lacking(request, node, &OfDimension::future);
  }
  DimensionSet LackingIdle(const Amounts& request, NodeId node) const {
    return Lacking(request, node, &OfDimension::idle);
  }

  // For the Cluster.
  void Grow(std::size_t nodes);
  void SetAllocatable(NodeId node, const Amounts& amount);
  void ChangeUsed(NodeId node, const Amounts& amount, double sign);
  void ChangeReleasing(NodeId node, const Amounts& amount, double sign);
  void ChangePromised(NodeId node, const Amounts& amount, double sign);
  void ChangeAssumed(NodeId node, double milli_cpu, double memory, double sign) {
    assumed_[kCpu][node.index()] += sign * milli_cpu;
    assumed_[kMemory][node.index()] += sign * memory;
  }

 private:
  // What the other amounts of a dimension follow from.
  struct Integers {
    Int128 allocatable = 0, used = 0, releasing = 0, promised = 0;
  };
  struct OfDimension {
    std::vector<double> allocatable, used, idle, releasing, promised, future;
    // By node, once an amount of the dimension is too large for the doubles; empty until then.
    std::vector<Integers> integers;
  };
  const OfDimension& Row(int d) const {
    if (static_cast<std::size_t>(d) >= rows_.size()) {
      const_cast<NodeLedger*>(this)->AddRows(d + 1);
    }
    return rows_[d];
  }
  OfDimension& Row(int d) { return const_cast<OfDimension&>(std::as_const(*this).Row(d)); }
  void AddRows(int dimensions);
  // Whether the doubles remain exact when an amount that `change` is added to becomes `after`.
  static bool StaysExact(const OfDimension& row, double change, double after) {
    return row.integers.empty() && IsExact(change) && IsExact(after);
  }
  // The same change in integers.
  void ChangeIntegers(OfDimension& row, std::size_t node, Int128 Integers::*part, double change);
  Amounts Column(NodeId node, std::vector<double> OfDimension::*row) const;
  DimensionSet Lacking(const Amounts& request, NodeId node,
                       std::vector<double> OfDimension::*row) const;

  std::vector<OfDimension> rows_;
  std::vector<double> assumed_[2];
  std::size_t nodes_ = 0;
};

}  // namespace basalt::model
