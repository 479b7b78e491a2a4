#include "scheduler/simulate/image_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/asio_loop.h"

namespace basalt::scheduler::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ImageWorkerTest : public testing::Test {
 protected:
  void RunUntil(std::size_t answers) {
    wanted_ = answers;
    if (said_.size() < wanted_) loop_.Run();
  }
  ImageWorker::Done Note() {
    return [this](Result<std::string> answer) {
      said_.push_back(answer ? *answer : answer.error().message);
      if (wanted_ > 0 && said_.size() >= wanted_) loop_.Stop();
    };
  }
  static ImageWorker::Work Say(std::string text) {
    return [text](const SchedulerImage&, const ImageWorker::GoOn&) -> Result<std::string> {
      return text;
    };
  }

  AsioLoop loop_;
  std::vector<std::string> said_;
  std::size_t wanted_ = 0;
};

TEST_F(ImageWorkerTest, QuestionsOfSeveralAreAnsweredInTheirOrderAndASecondOfTheSameIsRefused) {
  ImageWorker worker(loop_, [] { return SchedulerImage{}; });
  worker.Ask("a", Say("first"), Note());
  worker.Ask("a", Say("too soon"), Note());
  worker.Ask("b", Say("second"), Note());
  RunUntil(3);
  EXPECT_THAT(said_, ElementsAre(HasSubstr("ask one at a time"), "first", "second"));
  worker.Ask("a", Say("again"), Note());
  RunUntil(4);
  EXPECT_EQ(said_.back(), "again");
}

TEST_F(ImageWorkerTest, OfManyAskersOnlySoManyWait) {
  ImageWorker worker(loop_, [] { return SchedulerImage{}; });
  for (int i = 0; i < 100; ++i) worker.Ask(std::to_string(i), Say("answered"), Note());
  RunUntil(100);
  EXPECT_EQ(std::ranges::count(said_, "answered"), 17);
  EXPECT_THAT(said_.front(), HasSubstr("too many questions"));
}

TEST_F(ImageWorkerTest, OneThatDoesNotLeadSaysSo) {
  ImageWorker worker(loop_, [] { return std::optional<SchedulerImage>(); });
  worker.Ask("a", Say("never"), Note());
  worker.Ask("b", Say("never"), Note());
  RunUntil(2);
  EXPECT_THAT(said_, testing::Each(HasSubstr("does not lead")));
}

TEST_F(ImageWorkerTest, WorkUnderWayIsStoppedWhenTheWorkerGoes) {
  std::atomic<bool> started = false, stopped = false;
  {
    ImageWorker worker(loop_, [] { return SchedulerImage{}; });
    worker.Ask(
        "a",
        [&](const SchedulerImage&, const ImageWorker::GoOn& go_on) -> Result<std::string> {
          started = true;
          while (go_on()) std::this_thread::yield();
          stopped = true;
          return "";
        },
        Note());
    while (!started) std::this_thread::yield();
  }
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace basalt::scheduler::simulate
