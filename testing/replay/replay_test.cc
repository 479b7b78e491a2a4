#include "testing/replay/replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "kube/client/client.h"
#include "kube/types/resource.h"
#include "testing/cluster.h"
#include "testing/replay/recorder.h"

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

// ---- recordings that a test writes itself

// Watches nodes, and asks for one when told of any.
class Watcher final : public kube::WatchObserver {
 public:
  Watcher(kube::ApiClient& api) : api_(api) {}
  void Start() {
    kube::ApiRequest request;
    request.method = "GET";
    request.path = "/watch";
    stream_ = api_.Watch(std::move(request), *this);
  }
  void Stop() { stream_.reset(); }
  void OnFrame(std::string_view frame) override {
    heard_ += std::string(frame) + ";";
    if (frame != "ask") return;
    kube::ApiRequest request;
    request.method = "GET";
    request.path = "/node";
    api_.Send(std::move(request), [this](const Result<kube::ApiResponse>& answer) {
      heard_ += answer ? fmt::format("{} {};", answer->status, answer->body)
                       : answer.error().message + ";";
    });
  }
  void OnEnd(const Error& error) override { heard_ += "end " + error.message + ";"; }
  const std::string& heard() const { return heard_; }

 private:
  kube::ApiClient& api_;
  std::unique_ptr<kube::WatchStream> stream_;
  std::string heard_;
};

struct Told {
  std::string heard;
  std::string wrong;  // "": it went as recorded
};

Told Tell(const std::vector<std::string>& lines, bool stops = false) {
  std::string text = "basalt-recording 1\n";
  for (const std::string& line : lines) text += line + "\n";
  std::istringstream in(text);
  Replay replay(Recording::Read(in).value());
  Watcher watcher(replay.api());
  watcher.Start();
  if (stops) watcher.Stop();
  const Result<void> result = replay.Run();
  return {watcher.heard(), result ? "" : result.error().message};
}

const std::string kWatch = R"(request 1 "GET /watch")";
const std::string kAsk = R"(request 2 "GET /node")";

TEST(ReplayTest, FramesAnswersErrorsAndEndsComeAsTheyDidThen) {
  const Told told =
      Tell({kWatch, R"(frame 1 "one")", R"(frame 1 "ask")", kAsk, R"(answer 2 200 "body")",
            R"(end 1 {"code":1,"message":"closed","status":0,"retryAfter":-1})"});
  EXPECT_EQ(told.wrong, "");
  EXPECT_EQ(told.heard, "one;ask;200 body;end closed;");
  const Told failed = Tell({kWatch, R"(frame 1 "ask")", kAsk,
                            R"(error 2 {"code":1,"message":"no","status":0,"retryAfter":-1})"});
  EXPECT_EQ(failed.wrong, "");
  EXPECT_EQ(failed.heard, "ask;no;");
}

TEST(ReplayTest, ARecordingMayEndInTheMiddle) {
  EXPECT_EQ(Tell({kWatch, R"(frame 1 "ask")"}).wrong, "");
  EXPECT_EQ(Tell({}).wrong, "");
}

TEST(ReplayTest, WhatIsForNobodyIsSaidWithItsEntry) {
  struct Case {
    std::vector<std::string> lines;
    const char* want;
  };
  for (const Case& c : std::vector<Case>{
           {{kWatch, "run 1 "}, "at entry 2: nobody waits for run 1"},
           {{kWatch, R"(frame 2 "x")"}, "nobody waits for frame 2"},
           {{kWatch, R"(answer 1 200 "x")"}, "nobody waits for answer 1"},
           {{kWatch, R"(error 3 {"code":1,"message":"m"})"}, "nobody waits for error 3"},
           {{kWatch, R"(end 3 {"code":1,"message":"m"})"}, "nobody waits for end 3"},
           {{kWatch, R"(request 2 "GET /more")"}, "it was not asked for: request 2"},
           {{kWatch, "dance 1 "}, "it was not asked for: dance 1"},
           {{R"(request 1 "GET /other")"}, "and then it was request 1 \"GET /other\""},
       }) {
    EXPECT_THAT(Tell(c.lines).wrong, testing::HasSubstr(c.want));
  }
  EXPECT_THAT(Tell({kWatch, R"(frame 1 "x")"}, /*stops=*/true).wrong,
              testing::HasSubstr("nobody waits for frame 1"));
}

TEST(ReplayTest, WhatCannotBeReadEndsTheReplay) {
  for (const char* line : {"answer 1 x", "answer 1 200", "answer 1 200 open", "frame 1 open",
                           "end 1 nothing", "error 1 {}"}) {
    EXPECT_NE(Tell({kWatch, line}).wrong, "") << line;
  }
}

TEST(ReplayTest, TheFirstThatIsOtherwiseIsSaid) {
  EXPECT_THAT(Tell({R"(request 1 "GET /other")", "run 5 "}).wrong,
              testing::HasSubstr("at entry 0: asked for request 1 \"GET /watch\""));
}

TEST(ReplayTest, NotesAreFoundByTheirNameAndOthersAreEmpty) {
  std::istringstream in("basalt-recording 1\nnote 0 \"a b c\"\nnote 0 \"bare\"\n");
  const Recording recording = Recording::Read(in).value();
  EXPECT_EQ(recording.NoteOf("a"), "b c");
  EXPECT_EQ(recording.NoteOf("bare"), "");
  EXPECT_EQ(recording.NoteOf("none"), "");
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
