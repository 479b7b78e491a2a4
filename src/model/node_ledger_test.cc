#include "model/node_ledger.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::model {
namespace {

constexpr int kLedgerGpu = 3;

Amounts LedgerAmounts(double milli_cpu, double memory, double gpu) {
  Amounts amounts(milli_cpu, memory);
  amounts.Set(kLedgerGpu, gpu);
  return amounts;
}

// One node of `allocatable` CPUs on which others do what a row says.
struct LedgerRow {
  const char* name;
  double used, releasing, promised;
  double idle, future;
};

class NodeLedgerTest : public testing::TestWithParam<LedgerRow> {
 protected:
  NodeLedgerTest() {
    ledger_.Grow(2);
    ledger_.SetAllocatable(node_, LedgerAmounts(8000, 100, 4000));
  }
  NodeLedger ledger_;
  const NodeId node_{1};
};

TEST_P(NodeLedgerTest, WhatIsIdleAndWhatWillBeFollowFromTheOthers) {
  // The same with amounts that no double can tell apart from their neighbours.
  for (const double scale : {1.0, 0x1p50}) {
    const auto times = [&](double amount) { return Amounts(amount * scale, 0); };
    NodeLedger ledger;
    ledger.Grow(2);
    ledger.SetAllocatable(node_, times(8));
    ledger.ChangeUsed(node_, times(GetParam().used), +1);
    ledger.ChangeReleasing(node_, times(GetParam().releasing), +1);
    ledger.ChangePromised(node_, times(GetParam().promised), +1);
    EXPECT_EQ(ledger.allocatable(kCpu)[1], 8 * scale);
    EXPECT_EQ(ledger.used(kCpu)[1], GetParam().used * scale);
    EXPECT_EQ(ledger.releasing(kCpu)[1], GetParam().releasing * scale);
    EXPECT_EQ(ledger.promised(kCpu)[1], GetParam().promised * scale);
    EXPECT_EQ(ledger.idle(kCpu, node_), GetParam().idle * scale);
    EXPECT_EQ(ledger.future(kCpu, node_), GetParam().future * scale);
    EXPECT_EQ(ledger.idle(kCpu)[0], 0) << "another node has no part in it";
    // And back again.
    ledger.ChangeUsed(node_, times(GetParam().used), -1);
    ledger.ChangeReleasing(node_, times(GetParam().releasing), -1);
    ledger.ChangePromised(node_, times(GetParam().promised), -1);
    EXPECT_EQ(ledger.idle(kCpu, node_), 8 * scale);
    EXPECT_EQ(ledger.future(kCpu, node_), 8 * scale);
    EXPECT_EQ(ledger.releasing(kCpu)[1], 0);
    EXPECT_EQ(ledger.promised(kCpu)[1], 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, NodeLedgerTest,
                         testing::Values(LedgerRow{"Empty", 0, 0, 0, 8, 8},
                                         LedgerRow{"Used", 3, 0, 0, 5, 5},
                                         LedgerRow{"WhatLeavesIsUsedUntilItIsGone", 3, 2, 0, 5, 7},
                                         LedgerRow{"APromiseTakesWhatWillBe", 8, 4, 3, 0, 1},
                                         LedgerRow{"MoreThanThereIs", 9, 0, 0, -1, -1},
                                         LedgerRow{"ANodeThatIsFullOfPromises", 0, 0, 8, 8, 0}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(NodeLedgerTest, ARequestFitsWhereNothingIsMissing) {
  ledger_.ChangeUsed(node_, LedgerAmounts(7000, 50, 0), +1);
  ledger_.ChangeReleasing(node_, LedgerAmounts(2000, 0, 0), +1);
  ledger_.ChangePromised(node_, LedgerAmounts(0, 50, 0), +1);
  struct Row {
    const char* name;
    Amounts request;
    DimensionSet lacks_idle, lacks_in_future;
  };
  for (const Row& row :
       {Row{"nothing", {}, 0, 0}, Row{"all that is idle", LedgerAmounts(1000, 50, 4000), 0, Bit(1)},
        Row{"a hair more than there is", Amounts(1000.05, 0), 0, 0},
        Row{"a tenth more than there is", Amounts(1000.1, 0), Bit(0), 0},
        Row{"what those leave who go", Amounts(3000, 0), Bit(0), 0},
        Row{"more than that", Amounts(3001, 0), Bit(0), Bit(0)},
        Row{"of everything too much", LedgerAmounts(9000, 101, 4001), Bit(0) | Bit(1) | Bit(3),
            Bit(0) | Bit(1) | Bit(3)}}) {
    EXPECT_EQ(ledger_.LackingIdle(row.request, node_), row.lacks_idle) << row.name;
    EXPECT_EQ(ledger_.LackingInFuture(row.request, node_), row.lacks_in_future) << row.name;
    EXPECT_EQ(ledger_.FitsIdle(row.request, node_), row.lacks_idle == 0) << row.name;
    EXPECT_EQ(ledger_.FitsFuture(row.request, node_), row.lacks_in_future == 0) << row.name;
  }
  EXPECT_EQ(ledger_.LackingIdle(Amounts(0.1, 0), NodeId{0}), Bit(0)) << "a tenth more than nothing";
  ASSERT_EQ(ledger_.dimensions(), 4);
  for (const int d : {4, 9}) {
    Amounts unheard_of;
    unheard_of.Set(d, 1);
    EXPECT_EQ(ledger_.LackingIdle(unheard_of, node_), Bit(d)) << "no node has any of it";
  }
}

TEST_F(NodeLedgerTest, ANodeDefinesWhatItHasOrWhatIsOnIt) {
  ledger_.SetAllocatable(NodeId{0}, Amounts(1000, 1));
  EXPECT_FALSE(ledger_.Idle(NodeId{0}).Defines(kLedgerGpu));
  EXPECT_TRUE(ledger_.Idle(node_).Defines(kLedgerGpu));
  ledger_.ChangeUsed(node_, LedgerAmounts(0, 0, 4000), +1);
  EXPECT_TRUE(ledger_.Idle(node_).Defines(kLedgerGpu)) << "it has some, though none is left";
  EXPECT_EQ(ledger_.Used(node_)[kLedgerGpu], 4000);
  ledger_.ChangeUsed(NodeId{0}, LedgerAmounts(0, 0, 1), +1);
  EXPECT_EQ(ledger_.Idle(NodeId{0})[kLedgerGpu], -1) << "a pod that should not be there";
  EXPECT_EQ(ledger_.Allocatable(NodeId{0}), Amounts(1000, 1));
}

TEST_F(NodeLedgerTest, ANodeThatChangesItsSizeKeepsWhatIsOnIt) {
  ledger_.ChangeUsed(node_, LedgerAmounts(3000, 10, 1000), +1);
  ledger_.SetAllocatable(node_, LedgerAmounts(4000, 100, 0));
  EXPECT_EQ(ledger_.idle(kCpu, node_), 1000);
  EXPECT_EQ(ledger_.future(kLedgerGpu, node_), -1000);
  ledger_.SetAllocatable(node_, Amounts(0x1p60, 100));
  EXPECT_EQ(ledger_.idle(kCpu, node_), static_cast<double>(static_cast<Int128>(0x1p60) - 3000));
  ledger_.SetAllocatable(node_, LedgerAmounts(4000, 100, 4000));
  EXPECT_EQ(ledger_.idle(kCpu, node_), 1000);
  EXPECT_EQ(ledger_.future(kCpu, node_), 1000);
}

TEST_F(NodeLedgerTest, WhatIsAssumedBeyondRequestsIsCountedByNode) {
  ledger_.ChangeAssumed(node_, 100, 200, +1);
  ledger_.ChangeAssumed(node_, 100, 200, +1);
  ledger_.ChangeAssumed(node_, 100, 200, -1);
  EXPECT_EQ(ledger_.assumed(kCpu)[1], 100);
  EXPECT_EQ(ledger_.assumed(kMemory)[1], 200);
  EXPECT_EQ(ledger_.assumed(kCpu)[0], 0);
}

TEST_F(NodeLedgerTest, NodesThatComeLaterBeginWithNothingAlsoBesideLargeOnes) {
  ledger_.SetAllocatable(node_, Amounts(0x1p60, 0));
  ledger_.Grow(5);
  ledger_.Grow(1);  // it never shrinks
  const NodeId late{4};
  EXPECT_EQ(ledger_.idle(kCpu, late), 0);
  ledger_.SetAllocatable(late, Amounts(1000, 1));
  ledger_.ChangeUsed(late, Amounts(400, 1), +1);
  EXPECT_EQ(ledger_.idle(kCpu, late), 600);
  EXPECT_EQ(ledger_.idle(kCpu, node_), 0x1p60);
}

}  // namespace
}  // namespace basalt::model
