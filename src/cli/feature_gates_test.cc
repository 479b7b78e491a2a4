#include "cli/feature_gates.h"

#include <gtest/gtest.h>

namespace basalt::cli {
namespace {

TEST(FeatureGatesTest, OneIsOursAndVolcanosOthersAreTaken) {
  struct Row {
    const char* text;
    bool queue_admission;
  };
  for (const Row& row :
       {Row{"", true},
        {"SchedulingGatesQueueAdmission=true", true},
        {"SchedulingGatesQueueAdmission=false", false},
        {"WorkLoadSupport=true,SchedulingGatesQueueAdmission=false", false},
        {",,SchedulingGatesQueueAdmission=false,", false},
        {"SchedulingGatesQueueAdmission=false,SchedulingGatesQueueAdmission=true", true},
        {"AllAlpha=true,ResourceTopology=false", true},
        {"SomethingOfKubernetesOwn=true", true}}) {
    const auto gates = ParseFeatureGates(row.text);
    ASSERT_TRUE(gates) << row.text << ": " << gates.error().message;
    EXPECT_EQ(gates->queue_admission, row.queue_admission) << row.text;
  }
}

TEST(FeatureGatesTest, WhatIsNearlyOneOfThemIsAMistake) {
  struct Row {
    const char* text;
    const char* says;
  };
  for (const Row& row :
       {Row{"SchedulingGatesQueueAdmission",
            "--feature-gates: \"SchedulingGatesQueueAdmission\": want NAME=true or NAME=false"},
        {"SchedulingGatesQueueAdmission=",
         "--feature-gates: \"SchedulingGatesQueueAdmission=\": want true or false"},
        {"SchedulingGatesQueueAdmission=1",
         "--feature-gates: \"SchedulingGatesQueueAdmission=1\": want true or false"},
        {"SchedulingGatesQueueAdmision=true",
         "--feature-gates: \"SchedulingGatesQueueAdmision=true\": no such feature, did you mean "
         "SchedulingGatesQueueAdmission?"},
        {"AllAlfa=true",
         "--feature-gates: \"AllAlfa=true\": no such feature, did you mean AllAlpha?"}}) {
    const auto gates = ParseFeatureGates(row.text);
    ASSERT_FALSE(gates) << row.text;
    EXPECT_EQ(gates.error().message, row.says);
  }
}

}  // namespace
}  // namespace basalt::cli
