#include "scheduler/simulate/recorded_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "kube/types/time.h"
#include "scheduler/simulate/simulation.h"

namespace basalt::scheduler::simulate {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

// A node of four CPUs on which one pod has three, and another that waits for two.
constexpr const char* kObjects[] = {
    R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{"name":"default"},)"
    R"("status":{"state":"Open"}})",
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":)"
    R"({"cpu":"4","pods":"10"},"conditions":[{"type":"Ready","status":"True"}]}})",
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"runs","namespace":"a",)"
    R"("creationTimestamp":"2026-11-01T10:00:00Z"},"spec":{"nodeName":"n1","schedulerName":)"
    R"("volcano","containers":[{"name":"c","resources":{"requests":{"cpu":"3"}}}]},"status":)"
    R"({"phase":"Running","startTime":"2026-11-01T10:00:05Z"}})",
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"waits","namespace":"a"},"spec":)"
    R"({"schedulerName":"volcano","containers":[{"name":"c","resources":{"requests":)"
    R"({"cpu":"2"}}}]},"status":{"phase":"Pending"}})"};

RecordedState State() {
  RecordedState state{
      .objects = {}, .config = std::string(DefaultConfigYaml()), .options = SchedulerOptions{}};
  state.options.state.scheduler_names = {"volcano"};
  for (const char* text : kObjects) {
    auto object = ParseObject(json::parse(text).as_object(), "default");
    EXPECT_TRUE(object.has_value()) << (object ? "" : object.error().message);
    state.objects.push_back(*std::move(object));
  }
  return state;
}

std::string OutcomeOf(const SchedulerImage& image, std::string_view question) {
  const auto request = ParseRequest(question);
  EXPECT_TRUE(request.has_value());
  const auto answer = Simulate(image, *request, [] { return true; });
  EXPECT_TRUE(answer.has_value()) << (answer ? "" : answer.error().message);
  return std::string(answer->at("pods").as_array().at(0).at("outcome").as_string());
}

TEST(RecordedStateTest, IsAskedLikeASchedulerThatLeads) {
  const auto image = ImageOf(State());
  ASSERT_TRUE(image.has_value()) << image.error().message;
  EXPECT_EQ(OutcomeOf(*image, "{}"), "waits");
  EXPECT_EQ(OutcomeOf(*image, R"({"finish":["pod/a/runs"]})"), "runs");
  EXPECT_EQ(OutcomeOf(*image, R"({"addNodes":[{"count":1,"like":"n1"}]})"), "runs");
}

TEST(RecordedStateTest, StandsAtTheLastMomentThatItTellsOf) {
  EXPECT_EQ(kube::FormatTime(ImageOf(State())->taken_at), "2026-11-01T10:00:05Z");
}

TEST(RecordedStateTest, AConfigurationThatCannotBeIsRefused) {
  RecordedState state = State();
  state.config = "actions: \"dance\"\n";
  EXPECT_THAT(ImageOf(std::move(state)).error().message, HasSubstr("dance"));
}

TEST(RecordedStateTest, KindsThatNobodyDecidesByAreToldApart) {
  EXPECT_TRUE(IsKnownKind(json::parse(kObjects[1]).as_object()));
  EXPECT_FALSE(IsKnownKind({{"apiVersion", "v1"}, {"kind", "ConfigMap"}}));
  EXPECT_FALSE(IsKnownKind({{"apiVersion", "example.com/v1"}, {"kind", "Node"}}));
}

}  // namespace
}  // namespace basalt::scheduler::simulate
