#include "model/node_ledger.h"

#include <algorithm>

namespace basalt::model {

void NodeLedger::AddRows(int dimensions) {
  while (this->dimensions() < dimensions) {
    OfDimension& row = rows_.emplace_back();
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
  for (OfDimension& row : rows_) {
    if (!row.integers.empty()) row.integers.resize(nodes_);
    for (auto* array :
         {&row.allocatable, &row.used, &row.idle, &row.releasing, &row.promised, &row.future}) {
      array->resize(nodes_, 0.0);
    }
  }
}

void NodeLedger::ChangeIntegers(OfDimension& row, std::size_t n, Int128 Integers::*part,
                                double change) {
  if (row.integers.empty()) {
    row.integers.resize(nodes_);
    for (std::size_t i = 0; i < nodes_; ++i) {
      row.integers[i] = {.allocatable = static_cast<Int128>(row.allocatable[i]),
                         .used = static_cast<Int128>(row.used[i]),
                         .releasing = static_cast<Int128>(row.releasing[i]),
                         .promised = static_cast<Int128>(row.promised[i])};
    }
  }
  Integers& exact = row.integers[n];
  exact.*part += static_cast<Int128>(change);
  const Int128 idle = exact.allocatable - exact.used;
  row.allocatable[n] = static_cast<double>(exact.allocatable);
  row.used[n] = static_cast<double>(exact.used);
  row.releasing[n] = static_cast<double>(exact.releasing);
  row.promised[n] = static_cast<double>(exact.promised);
  row.idle[n] = static_cast<double>(idle);
  row.future[n] = static_cast<double>(idle + exact.releasing - exact.promised);
}

void NodeLedger::SetAllocatable(NodeId node, const Amounts& amount) {
  const std::size_t n = node.index();
  AddRows(amount.bound());
  for (int d = 0; d < dimensions(); ++d) {
    OfDimension& row = rows_[d];
    if (!StaysExact(row, amount[d], amount[d])) {
      // Not the difference, which may be no double: the old amount goes, the new one comes.
      ChangeIntegers(row, n, &Integers::allocatable, -row.allocatable[n]);
      ChangeIntegers(row, n, &Integers::allocatable, amount[d]);
      continue;
    }
    const double change = amount[d] - row.allocatable[n];
    row.allocatable[n] += change;
    row.idle[n] += change;
    row.future[n] += change;
  }
}

void NodeLedger::ChangeUsed(NodeId node, const Amounts& amount, double sign) {
  const std::size_t n = node.index();
  for (int d = 0; d < amount.bound(); ++d) {
    if (amount[d] == 0) continue;
    OfDimension& row = Row(d);
    const double change = sign * amount[d];
    if (!StaysExact(row, change, row.used[n] + change)) {
      ChangeIntegers(row, n, &Integers::used, change);
      continue;
    }
    row.used[n] += change;
    row.idle[n] -= change;
    row.future[n] -= change;
  }
}

void NodeLedger::ChangeReleasing(NodeId node, const Amounts& amount, double sign) {
  const std::size_t n = node.index();
  for (int d = 0; d < amount.bound(); ++d) {
    if (amount[d] == 0) continue;
    OfDimension& row = Row(d);
    const double change = sign * amount[d];
    if (!StaysExact(row, change, row.releasing[n] + change)) {
      ChangeIntegers(row, n, &Integers::releasing, change);
      continue;
    }
    row.releasing[n] += change;
    row.future[n] += change;
  }
}

void NodeLedger::ChangePromised(NodeId node, const Amounts& amount, double sign) {
  const std::size_t n = node.index();
  for (int d = 0; d < amount.bound(); ++d) {
    if (amount[d] == 0) continue;
    OfDimension& row = Row(d);
    const double change = sign * amount[d];
    if (!StaysExact(row, change, row.promised[n] + change)) {
      ChangeIntegers(row, n, &Integers::promised, change);
      continue;
    }
    row.promised[n] += change;
    row.future[n] -= change;
  }
}

Amounts NodeLedger::Column(NodeId node, std::vector<double> OfDimension::*row) const {
  Amounts column;
  for (int d = 0; d < dimensions(); ++d) {
    const double amount = (rows_[d].*row)[node.index()];
    if (amount != 0 || rows_[d].allocatable[node.index()] != 0) column.Set(d, amount);
  }
  return column;
}

DimensionSet NodeLedger::Lacking(const Amounts& request, NodeId node,
                                 std::vector<double> OfDimension::*row) const {
  DimensionSet lacking = 0;
  ForEachDimension(request.defined(), [&](int d) {
    const double room = d < dimensions() ? (rows_[d].*row)[node.index()] : 0;
    if (request[d] - room >= Amounts::kEpsilon) lacking |= Bit(d);
  });
  return lacking;
}

}  // namespace basalt::model
