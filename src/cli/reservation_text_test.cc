#include "cli/reservation_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "kube/types/time.h"

namespace basalt::cli {
namespace {

using testing::HasSubstr;

const char* const kReservation = R"({"metadata":{"name":"r","namespace":"ns",
    "creationTimestamp":"2026-01-01T00:00:00Z"},
  "spec":{"queue":"q","ttl":"10m","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}},
      {"object":{"kind":"Job","name":"train"}},{"labelSelector":{}}],
    "tasks":[{"name":"a","replicas":2},{"name":"b"}]},
  "status":{"state":{"phase":"Available","reason":"Reserved"},"available":2,
    "allocatable":{"cpu":"2"},
    "placements":[{"task":"a","index":0,"node":"n1","phase":"Available"},
                  {"task":"a","index":1,"node":"n2","phase":"Waiting"}]}})";

TEST(ReservationText, AListHasALineForEach) {
  const Time now = *kube::ParseTime("2026-01-01T00:05:00Z");
  const boost::json::array items{boost::json::parse(kReservation),
                                 boost::json::parse(R"({"metadata":{"name":"new"}})")};
  EXPECT_EQ(ReservationsText(items, {}, now),
            "NAME   PHASE       AVAILABLE   QUEUE   AGE\n"
            "r      Available   2/3         q       5m\n"
            "new    -           0/0         -       -\n");
  EXPECT_EQ(ReservationsText({}, {}, now), "No reservations.\n");
  EXPECT_THAT(ReservationsText(items, AskFlags{.all_namespaces = true}, now),
              HasSubstr("ns          r"));
}

TEST(ReservationText, OneIsShownWithItsNodesAndOwners) {
  const std::string text = ReservationText(boost::json::parse(kReservation).as_object(),
                                           *kube::ParseTime("2026-01-01T00:00:30Z"));
  for (const char* part :
       {"ns/r", "Available", "Reserved", "2/3", "30s", "cpu 2", "pods with app=web", "Job train",
        "every pod", "a      0       n1     Available", "a      1       n2     Waiting"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace basalt::cli
