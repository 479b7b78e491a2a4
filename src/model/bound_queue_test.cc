#include "model/bound_queue.h"

#include <gtest/gtest.h>

#include "model/annotations.h"
#include "testing/test_signer.h"

namespace basalt::model {
namespace {

kube::Pod PodWith(const std::string& uid, const std::string& record) {
  kube::Pod pod;
  pod.meta.uid = uid;
  if (!record.empty()) pod.meta.annotations.Set(annotations::kBoundQueue, record);
  return pod;
}

TEST(BoundQueueTest, OnlyWhatOurKeySealedForThisPodIsGenuine) {
  const testutil::TestSigner ours(1), theirs(2);
  const std::string record = SealBoundQueue(ours, PodWith("1", ""), "team.a");
  const struct {
    const char* what;
    std::string uid, record;
    std::string_view name;
    bool genuine;
  } kCases[] = {
      {"as written", "1", record, "team.a", true},
      {"copied from another pod", "2", record, "team.a", false},
      {"sealed by another key", "1", SealBoundQueue(theirs, PodWith("1", ""), "b"), "b", false},
      {"a bare name", "1", "team-b", "", false},
      {"very long", "1", std::string(100'000, 'x') + record, "", false},
  };
  for (const auto& test : kCases) {
    const kube::Pod pod = PodWith(test.uid, test.record);
    const auto read = ReadBoundQueue(&ours, pod);
    ASSERT_TRUE(read) << test.what;
    EXPECT_EQ(read->name, test.name) << test.what;
    EXPECT_EQ(read->genuine, test.genuine) << test.what;
  }
  const std::string longest(512 - (record.size() - std::string_view("team.a").size()), 'q');
  for (const std::string& name : {longest, longest + "q"}) {
    const kube::Pod pod = PodWith("1", SealBoundQueue(ours, PodWith("1", ""), name));
    EXPECT_EQ(ReadBoundQueue(&ours, pod)->genuine, name == longest);
  }
  EXPECT_FALSE(ReadBoundQueue(&ours, PodWith("1", "")));
  EXPECT_FALSE(ReadBoundQueue(nullptr, PodWith("1", record))->genuine);
}

}  // namespace
}  // namespace basalt::model
