// What matches is found, the oldest first; who cannot be meant is mostly not even looked at.
#include "model/reservation_index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"
#include "kube/types/codec.h"
#include "model/reservations.h"

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ReservationIndexTest : public testing::Test {
 protected:
  // `second` is when it was created.
  ReservationRecord& Add(const std::string& name, const std::string& owners, int second = 0,
                         const std::string& ns = "ns") {
    const auto read = kube::Decode<kube::Reservation>(
        fmt::format(R"({{"metadata":{{"name":"{}","namespace":"{}"}},"spec":{{"owners":{}}}}})",
                    name, ns, owners));
    EXPECT_TRUE(read) << read.error().message;
    kube::Reservation object = read.value_or(kube::Reservation{});
    object.meta.creation_timestamp = Time{} + std::chrono::seconds(second);
    ReservationRecord& record = records_.emplace_back();
    record.object = std::make_shared<const kube::Reservation>(std::move(object));
    index_.Add(record);
    return record;
  }
  // A pod of that label, whose uid is u-p, owned by the ReplicaSet web (u-rs).
  std::vector<std::string> Candidates(const std::string& labels, const std::string& ns = "ns",
                                      const kube::PodGroup* group = nullptr) {
    const auto pod = kube::Decode<kube::Pod>(fmt::format(
        R"({{"metadata":{{"name":"p","namespace":"{}","uid":"u-p","labels":{},"ownerReferences":
            [{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-rs"}}]}}}})",
        ns, labels));
    EXPECT_TRUE(pod) << pod.error().message;
    std::vector<std::string> names;
    index_.ForEachCandidate(*pod, group, [&](const ReservationRecord& record) {
      names.push_back(record.name());
      return names.size() < most_;
    });
    return names;
  }

  std::deque<ReservationRecord> records_;
  ReservationIndex index_;
  std::size_t most_ = 100;
};

TEST_F(ReservationIndexTest, FindsByLabelUidNameOrWithoutARule) {
  struct Row {
    const char* owners;
    bool found;
  };
  int i = 0;
  for (
      const Row& row :
      {Row{R"([{"labelSelector":{"matchLabels":{"app":"web"}}}])", true},
       Row{R"([{"labelSelector":{"matchLabels":{"app":"db"}}}])", false},
       Row{R"([{"labelSelector":{"matchLabels":{"other":"web"}}}])", false},
       Row{R"([{"labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["db","web"]}]}}])",
           true},
       Row{R"([{"labelSelector":{"matchExpressions":[{"key":"app","operator":"Exists"}]}}])", true},
       Row{R"([{"labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["db"]}]}}])",
           true},
       Row{R"([{"labelSelector":{}}])", true}, Row{R"([{"object":{"name":"p"}}])", true},
       Row{R"([{"object":{"name":"q"}}])", false}, Row{R"([{"object":{"name":"web"}}])", true},
       Row{R"([{"object":{"uid":"u-rs"}}])", true}, Row{R"([{"object":{"uid":"u-p"}}])", true},
       Row{R"([{"object":{"uid":"u-x","name":"p"}}])", false},
       Row{R"([{"object":{"kind":"Pod"}}])", true},
       Row{R"([{"object":{"name":"q"}},{"labelSelector":{"matchLabels":{"app":"web"}}}])", true},
       Row{R"([{"object":{"uid":"p"}},{"object":{"name":"p"}}])", true},
       Row{R"([{"object":{"uid":"p"}},{"object":{"name":"q"}}])", false}, Row{"[]", false}}) {
    ReservationRecord& record = Add(fmt::format("r{}", ++i), row.owners);
    EXPECT_EQ(!Candidates(R"({"app":"web"})").empty(), row.found) << row.owners;
    EXPECT_THAT(Candidates(R"({"app":"web"})", "elsewhere"), IsEmpty()) << row.owners;
    index_.Remove(record);
    EXPECT_THAT(record.marks, IsEmpty()) << row.owners;
    EXPECT_TRUE(index_.empty()) << row.owners;
    EXPECT_THAT(Candidates(R"({"app":"web"})"), IsEmpty()) << row.owners;
  }
}

TEST_F(ReservationIndexTest, TheOldestComesFirstThenTheFirstByNameAndEachOnce) {
  Add("young", R"([{"labelSelector":{}}])", 9);
  Add("b", R"([{"labelSelector":{"matchLabels":{"app":"web"}}},{"object":{"name":"p"}}])", 5);
  Add("a", R"([{"object":{"uid":"u-rs"}},{"object":{"uid":"u-rs"}}])", 5);
  const ReservationRecord& old =
      Add("old", R"([{"labelSelector":{"matchLabels":{"app":"web"}}}])", 1);
  EXPECT_FALSE(IsOlder(old, old));
  EXPECT_THAT(Candidates(R"({"app":"web"})"), ElementsAre("old", "a", "b", "young"));
  most_ = 2;
  EXPECT_THAT(Candidates(R"({"app":"web"})"), ElementsAre("old", "a")) << "until it is enough";
}

TEST_F(ReservationIndexTest, AGroupIsAnOwnerToo) {
  kube::PodGroup gang;
  gang.meta = {.name = "gang", .ns = "ns", .uid = "u-g"};
  Add("by-name", R"([{"object":{"kind":"PodGroup","name":"gang"}}])", 1);
  EXPECT_THAT(Candidates("{}"), IsEmpty());
  EXPECT_THAT(Candidates("{}", "ns", &gang), ElementsAre("by-name"));
  Add("by-uid", R"([{"object":{"uid":"u-g"}}])", 2);
  EXPECT_THAT(Candidates("{}", "ns", &gang), ElementsAre("by-name", "by-uid"));
}

TEST_F(ReservationIndexTest, WhatOneNoLongerMeansAnotherMayStillMean) {
  ReservationRecord& first =
      Add("first", R"([{"labelSelector":{"matchLabels":{"app":"web"}}}])", 1);
  ReservationRecord& second =
      Add("second", R"([{"labelSelector":{"matchLabels":{"app":"web"}}}])", 2);
  index_.Remove(first);
  EXPECT_THAT(Candidates(R"({"app":"web"})"), ElementsAre("second"));
  index_.Remove(second);
  EXPECT_TRUE(index_.empty());
}

// A pod with few labels and one with many go different ways through the index.
TEST_F(ReservationIndexTest, FindsAmongManyLabelsAsAmongFew) {
  for (int i = 0; i < 5; ++i) {
    Add(fmt::format("r{}", i),
        fmt::format(R"([{{"labelSelector":{{"matchLabels":{{"k{}":"v"}}}}}}])", i), i);
  }
  EXPECT_THAT(Candidates(R"({"k3":"v"})"), ElementsAre("r3"));
  EXPECT_THAT(Candidates(R"({"k3":"v","a":"1","b":"1","c":"1","d":"1","e":"1","k1":"v","k2":"x"})"),
              ElementsAre("r1", "r3"));
}

// Whatever owners say that a pod meets, the index leads to it.
TEST_F(ReservationIndexTest, NoReservationThatMatchesIsMissed) {
  const std::string owners[] = {
      R"({"labelSelector":{"matchLabels":{"a":"1"}}})",
      R"({"labelSelector":{"matchLabels":{"a":"1","b":"2"}}})",
      R"({"labelSelector":{"matchExpressions":[{"key":"b","operator":"In","values":["1","2"]}]}})",
      R"({"labelSelector":{"matchExpressions":[{"key":"c","operator":"DoesNotExist"}]}})",
      R"({"object":{"name":"p"}})",
      R"({"object":{"kind":"ReplicaSet","name":"web","uid":"u-rs"}})",
      R"({"object":{"kind":"Job"}})",
      R"({"object":{"uid":"u-z"}})"};
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::string list = owners[random.Below(std::size(owners))];
    if (random.Chance(0.5)) list += "," + owners[random.Below(std::size(owners))];
    Add(fmt::format("r{}", round), "[" + list + "]", static_cast<int>(random.Below(50)));
  }
  for (const char* labels :
       {"{}", R"({"a":"1"})", R"({"a":"1","b":"2"})", R"({"b":"1","c":"x"})"}) {
    const auto pod = kube::Decode<kube::Pod>(fmt::format(
        R"({{"metadata":{{"name":"p","namespace":"ns","uid":"u-p","labels":{},"ownerReferences":
            [{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-rs"}}]}}}})",
        labels));
    std::vector<const ReservationRecord*> wanted, found;
    for (const ReservationRecord& record : records_) {
      if (OwnersMatch(*record.object, *pod, nullptr)) wanted.push_back(&record);
    }
    std::ranges::sort(wanted, [](const auto* a, const auto* b) { return IsOlder(*a, *b); });
    index_.ForEachCandidate(*pod, nullptr, [&](const ReservationRecord& record) {
      if (OwnersMatch(*record.object, *pod, nullptr)) found.push_back(&record);
      return true;
    });
    EXPECT_EQ(found, wanted) << labels;
    EXPECT_FALSE(wanted.empty()) << labels;
  }
}

}  // namespace
}  // namespace basalt::model
