#include "migrate/configuration_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::migrate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using Weight = Finding::Weight;

// Knows two plugins; one takes no argument "wrong".
Catalogue Known() {
  return {.actions = {"enqueue", "allocate", "preempt"},
          .plugins = {"gang", "binpack", "tdm"},
          .check = [](const std::string& yaml) -> Result<void> {
            if (yaml.find("wrong") == std::string::npos) return {};
            return Fail(ErrorCode::kInvalidArgument,
                        "line 7: plugin binpack: unknown argument wrong");
          }};
}

auto Is(Weight weight, const std::string& what) {
  return AllOf(Field(&Finding::weight, weight), Field(&Finding::what, HasSubstr(what)));
}

TEST(ConfigurationCheck, NothingToSayOfWhatIsTheSame) {
  EXPECT_THAT(CheckConfiguration("actions: \"enqueue, allocate\"\n"
                                 "tiers:\n- plugins:\n  - name: gang\n  - name: binpack\n"
                                 "    arguments: {binpack.weight: 5}\n",
                                 Known()),
              IsEmpty());
}

TEST(ConfigurationCheck, EverythingThatWouldBeRefusedIsNamedWithItsLine) {
  EXPECT_THAT(CheckConfiguration("actions: \"enqueue, allocate, shuffle\"\n"
                                 "tiers:\n"
                                 "- plugins:\n"
                                 "  - name: numaaware\n"
                                 "  - name: gang\n"
                                 "- plugins:\n"
                                 "  - name: binpack\n"
                                 "    arguments: {wrong: 1}\n"
                                 "sharding: true\n",
                                 Known()),
              ElementsAre(Is(Weight::kBlocks, "the action shuffle"),
                          Is(Weight::kBlocks, "line 4: the plugin numaaware"),
                          Is(Weight::kBlocks, "line 7: plugin binpack: unknown"),
                          Is(Weight::kBlocks, "line 9: sharding")));
}

TEST(ConfigurationCheck, WhatWorksOtherwiseIsSaid) {
  EXPECT_THAT(CheckConfiguration(
                  "actions: \"allocate, preempt\"\ntiers:\n- plugins:\n  - name: tdm\n", Known()),
              ElementsAre(Is(Weight::kDiffers, "the action preempt"),
                          Is(Weight::kDiffers, "line 4: the plugin tdm")));
}

TEST(ConfigurationCheck, ArgumentsOfActionsAreTried) {
  EXPECT_THAT(CheckConfiguration("actions: \"allocate\"\n"
                                 "configurations:\n- name: allocate\n  arguments: {wrong: 2}\n"
                                 "- name: unused\n  arguments: {wrong: 2}\n",
                                 Known()),
              ElementsAre(Is(Weight::kBlocks, "line 3, arguments of the action allocate")));
}

TEST(ConfigurationCheck, OddFilesAreAnswered) {
  for (const char* yaml :
       {"", "- a", "a: [", "tiers: 3", "tiers: [{plugins: [{}]}]", "actions: [1]", "tiers: {a: b}",
        "configurations: [1, {name: [x]}]\nactions: allocate"}) {
    SCOPED_TRACE(yaml);
    for (const Finding& finding : CheckConfiguration(yaml, Known())) {
      EXPECT_EQ(finding.area, "configuration");
    }
  }
}

}  // namespace
}  // namespace basalt::migrate
