// What no object can do to the others of its list and of its watch.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/informer/scripted_api_test_util.h"
#include "kube/types/pod.h"
#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Nested(int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += R"({"f:a":)";
  return text + "{}" + std::string(static_cast<std::size_t>(levels), '}');
}

std::string PodText(std::string_view name, int version, std::string_view more_metadata = "",
                    std::string_view spec = "{}") {
  return fmt::format(
      R"({{"spec":{},"metadata":{{"namespace":"ns","name":"{}","uid":"u","resourceVersion":"{}"{}}}}})",
      spec, name, version, more_metadata);
}

std::string DeepPod(std::string_view name, int version, int levels) {
  return PodText(name, version, R"(,"managedFields":[{"fieldsV1":)" + Nested(levels) + "}]");
}

std::string UnreadablePod(std::string_view name, int version) {
  return PodText(name, version, "", R"({"priority":"high"})");
}

class BadObjectsTest : public testing::TestWithParam<int> {
 protected:
  BadObjectsTest() : api_(loop_), client_(api_), informer_(client_, nullptr) {
    informer_.OnBadItem([this](const ItemIdentity& item, const Error&) {
      bad_.push_back(item.name + "@" + item.resource_version);
    });
  }
  void Reply(const std::vector<std::string>& items, int version) {
    ASSERT_TRUE(loop_.RunUntil([&] { return !api_.lists.empty(); }, 10min));
    auto pending = std::move(api_.lists.front());
    api_.lists.pop_front();
    pending.handler(
        ApiResponse{.status = 200,
                    .body = fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"items":[{}]}})",
                                        version, fmt::join(items, ","))});
    loop_.RunUntilIdle();
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& pod : informer_.store().Sorted()) {
      names.push_back(pod->meta.name + "@" + pod->meta.resource_version);
    }
    return names;
  }

  testutil::SimLoop loop_;
  ScriptedApi api_;
  Client client_;
  Informer<Pod> informer_;
  std::vector<std::string> bad_;
};

TEST_P(BadObjectsTest, OneThatCannotBeReadBesideOneThatIsNestedDeepCostsTheListNothing) {
  informer_.Start();
  Reply({PodText("a", 1), UnreadablePod("bad", 2), DeepPod("deep", 3, GetParam()), "7",
         DeepPod("z", 4, GetParam())},
        5);
  EXPECT_TRUE(informer_.HasSynced());
  EXPECT_THAT(Names(), ElementsAre("a@1", "deep@3", "z@4"));
  EXPECT_THAT(bad_, ElementsAre("bad@2"));
  EXPECT_EQ(informer_.bad_items(), 2u);
  EXPECT_TRUE(api_.watching());
  EXPECT_EQ(informer_.stats().failures, 0u);
}

TEST_P(BadObjectsTest, OneThatIsBothCostsTheWatchNothing) {
  informer_.Start();
  Reply({PodText("a", 1), PodText("b", 2)}, 5);
  const std::string deep_and_bad =
      PodText("b", 6, R"(,"managedFields":[{"fieldsV1":)" + Nested(GetParam()) + "}]",
              R"({"priority":"high"})");
  api_.Frame(FrameOf("MODIFIED", deep_and_bad));
  api_.Frame(FrameOf("ADDED", DeepPod("deep", 7, GetParam())));
  EXPECT_THAT(Names(), ElementsAre("a@1", "b@2", "deep@7"));
  EXPECT_THAT(bad_, ElementsAre("b@6"));
  EXPECT_TRUE(api_.watching());
  api_.Frame(FrameOf("DELETED", deep_and_bad));
  EXPECT_THAT(Names(), ElementsAre("a@1", "deep@7"));
  EXPECT_TRUE(api_.watching());
  EXPECT_THAT(api_.lists, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Levels, BadObjectsTest, testing::Values(1, 40, 1000, 50000));

}  // namespace
}  // namespace basalt::kube
