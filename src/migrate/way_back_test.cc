#include "migrate/way_back.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace basalt::migrate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

boost::json::array Objects(std::string_view text) { return boost::json::parse(text).as_array(); }

auto Blocks(const std::string& what, const std::string& remedy) {
  return AllOf(Field(&Finding::weight, Finding::Weight::kBlocks),
               Field(&Finding::what, HasSubstr(what)), Field(&Finding::remedy, HasSubstr(remedy)));
}

TEST(WayBack, OfAPlainClusterNothingStandsInTheWay) {
  EXPECT_THAT(CheckWayBack({.pods = Objects(
                                R"([{"spec":{"schedulerName":"volcano","nodeName":"n"}}, 1, {}])"),
                            .scheduler_names = {"volcano"},
                            .gate = "g",
                            .mutating = Objects(R"([{"metadata":{"name":"istio"}}])")}),
              IsEmpty());
}

TEST(WayBack, PodsWithTheGateWouldWaitForEver) {
  const auto pods = Objects(R"([
      {"metadata":{"namespace":"a","name":"ours"},"spec":{"schedulerName":"volcano","schedulingGates":[{"name":"x"},{"name":"g"}]}},
      {"metadata":{"namespace":"a","name":"foreign"},"spec":{"schedulerName":"volcano","schedulingGates":[{"name":"x"}]}},
      {"metadata":{"namespace":"a","name":"other"},"spec":{"schedulerName":"b","schedulingGates":[{"name":"g"}]}}])");
  EXPECT_THAT(CheckWayBack({.pods = pods, .scheduler_names = {"volcano"}, .gate = "g"}),
              ElementsAre(Blocks("1 pod is gated: a/ours", "SchedulingGatesQueueAdmission=false")));
}

TEST(WayBack, WhatBasaltLeavesBehindIsNamed) {
  const auto hooks = Objects(R"([{"metadata":{"name":"basalt-webhook"}}])");
  EXPECT_THAT(
      CheckWayBack(
          {.mutating = hooks, .validating = hooks, .groups_have_status = true, .reservations = 2}),
      ElementsAre(Blocks("mutating", "kubectl delete mutatingwebhookconfiguration basalt-webhook"),
                  Blocks("validating", "kubectl delete validating"),
                  Blocks("status subresource", "crd/bases"),
                  Field(&Finding::what, "2 Reservations are there")));
}

}  // namespace
}  // namespace basalt::migrate
