#include "scheduler/replay/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "kube/client/client.h"
#include "kube/types/resource.h"
#include "scheduler/replay/recorder.h"
#include "testing/cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
namespace resources = kube::resources;

// Asks for the node again and again, and says what it heard and when.
class Asker {
 public:
  Asker(Loop& loop, kube::Client& client) : loop_(loop), client_(client), timer_(loop) {}

  void Ask() {
    client_.Get({resources::kNodes, "", "n"}, scope_.Guard([this](Result<kube::ApiResponse> r) {
      const std::string heard = r ? "there" : std::string(ToString(r.error().code));
      client_.Create({resources::kNamespaces}, heard + std::to_string(loop_.Monotonic() / 1ms),
                     [](const Result<kube::ApiResponse>&) {});
      timer_.Start(1s, [this] { Ask(); });
    }));
  }

 private:
  Loop& loop_;
  kube::Client& client_;
  Timer timer_;
  Scope scope_;
};

std::string Record() {
  std::ostringstream out;
  testutil::SimCluster cluster;
  {
    Recorder recorder(out);
    recorder.Note("config", "two\nlines");
    RecordingLoop loop(cluster.loop(), recorder);
    RecordingApiClient api(cluster.api(), loop, recorder);
    kube::Client client(api);
    Asker asker(loop, client);
    asker.Ask();
    cluster.loop().RunFor(3s);
    cluster.Create(MakeNode("n"));
    cluster.loop().RunFor(3s);
  }
  return out.str();
}

Result<void> ReplayOf(const std::string& text, std::string* requests = nullptr) {
  std::istringstream in(text);
  Result<Recording> recording = Recording::Read(in);
  if (!recording) return std::unexpected(recording.error());
  EXPECT_EQ(recording->NoteOf("config"), "two\nlines");
  Replay replay(*std::move(recording));
  kube::Client client(replay.api());
  Asker asker(replay.loop(), client);
  asker.Ask();
  Result<void> result = replay.Run();
  if (requests) *requests = replay.requests();
  return result;
}

TEST(ReplayTest, TheSameInputGivesTheSameRequests) {
  const std::string text = Record();
  EXPECT_THAT(text, testing::HasSubstr("NotFound"));
  EXPECT_THAT(text, testing::HasSubstr("there"));
  std::string requests;
  const Result<void> same = ReplayOf(text, &requests);
  EXPECT_TRUE(same) << same.error().message;
  EXPECT_THAT(requests, testing::HasSubstr("there"));
}

TEST(ReplayTest, WhoDoesSomethingElseThanThenIsFoundOut) {
  std::string text = Record();
  const std::size_t at = text.find("there");
  text.replace(at, 5, "where");
  const Result<void> other = ReplayOf(text);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, testing::HasSubstr("there"));
}

TEST(ReplayTest, WhatIsNoRecordingIsRefusedWithItsLine) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", "not a recording"},
           {"something\n", "not a recording"},
           {"basalt-recording 1\nrun\n", "line 2"},
           {"basalt-recording 1\nrun x \n", "line 2"},
           {"basalt-recording 1\nnow 1 noon\n", "line 2: not a number: noon"},
           {"basalt-recording 1\nnote 0 unquoted\n", "line 2: not a quoted text"},
       }) {
    std::istringstream in(text);
    const Result<Recording> refused = Recording::Read(in);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().message, testing::HasSubstr(expected));
  }
}

}  // namespace
}  // namespace basalt::scheduler
