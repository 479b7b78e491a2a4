#include "model/node_ledger.h"

#include <algorithm>

namespace basalt::model {

void NodeLedger::AddRows(int dimensions) {
  while (this->dimensions() < dimensions) {
    Amounts& row = rows_.emplace_back();
    for (auto* array :
         {&row.allocatable, &row.used, &row.idle, &row.releasing, &row.promised, &row.future}) {
      array->resize(nodes_, 0.0);
    }
  }
}

void NodeLedger::Grow(std::size_t nodes) {
  if (nodes <= nodes_) return;
  nodes_ = nodes;
  for (auto& array : assumed_) array.resize(nodes_, 0.0);
  for (Amounts& row : rows_) {
    for (auto* array :
         {&row.allocatable, &row.used, &row.idle, &row.releasing, &row.promised, &row.future}) {
      array->resize(nodes_, 0.0);
    }
  }
}

void NodeLedger::SetAllocatable(NodeId node, const Resource& amount) {
  const std::size_t n = node.index();
  AddRows(amount.bound());
  for (int d = 0; d < dimensions(); ++d) {
    Amounts& row = rows_[d];
    const double change = amount[d] - row.allocatable[n];
    row.allocatable[n] += change;
    row.idle[n] += change;
    row.future[n] += change;
  }
}

void NodeLedger::ChangeUsed(NodeId node, const Resource& amount, double sign) {
  const std::size_t n = node.index();
  for (int d = 0; d < amount.bound(); ++d) {
    if (amount[d] == 0) continue;
    Amounts& row = Row(d);
    const double change = sign * amount[d];
    row.used[n] += change;
    row.idle[n] -= change;
    row.future[n] -= change;
  }
}

void NodeLedger::ChangeReleasing(NodeId node, const Resource& amount, double sign) {
  const std::size_t n = node.index();
  for (int d = 0; d < amount.bound(); ++d) {
    if (amount[d] == 0) continue;
    Amounts& row = Row(d);
    row.releasing[n] += sign * amount[d];
    row.future[n] += sign * amount[d];
  }
}

void NodeLedger::ChangePromised(NodeId node, const Resource& amount, double sign) {
  const std::size_t n = node.index();
  for (int d = 0; d < amount.bound(); ++d) {
    if (amount[d] == 0) continue;
    Amounts& row = Row(d);
    row.promised[n] += sign * amount[d];
    row.future[n] -= sign * amount[d];
  }
}

Resource NodeLedger::Column(NodeId node, std::vector<double> Amounts::*row) const {
  Resource column;
  for (int d = 0; d < dimensions(); ++d) {
    const double amount = (rows_[d].*row)[node.index()];
    if (amount != 0 || d <= kMemory || rows_[d].allocatable[node.index()] != 0) {
      column.Set(d, amount);
    }
  }
  return column;
}

DimensionSet NodeLedger::Lacking(const Resource& request, NodeId node,
                                 std::vector<double> Amounts::*row) const {
  DimensionSet lacking = 0;
  ForEachDimension(request.defined(), [&](int d) {
    const double room = d < dimensions() ? (rows_[d].*row)[node.index()] : 0;
    if (request[d] - room >= Resource::kEpsilon) lacking |= Bit(d);
  });
  return lacking;
}

}  // namespace basalt::model
