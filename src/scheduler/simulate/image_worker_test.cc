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
    return [text](const SchedulerImage&, const ImageWorker::GoOn&,
                  ImageWorker::Leftovers&) -> Result<std::string> { return text; };
  }

  AsioLoop loop_;
  std::vector<std::string> said_;
  std::size_t wanted_ = 0;
};

TEST_F(ImageWorkerTest, QuestionsOfSeveralAreAnsweredInTheirOrderAndASecondOfTheSameIsRefused) {
  ImageWorker worker(loop_, [](auto with_image) { with_image(SchedulerImage{}); });
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
  ImageWorker worker(loop_, [](auto with_image) { with_image(SchedulerImage{}); });
  for (int i = 0; i < 100; ++i) worker.Ask(std::to_string(i), Say("answered"), Note());
  RunUntil(100);
  EXPECT_EQ(std::ranges::count(said_, "answered"), 17);
  EXPECT_THAT(said_.front(), HasSubstr("too many questions"));
}

TEST_F(ImageWorkerTest, OneThatDoesNotLeadSaysSo) {
  ImageWorker worker(loop_, [](auto with_image) { with_image(std::nullopt); });
  worker.Ask("a", Say("never"), Note());
  worker.Ask("b", Say("never"), Note());
  RunUntil(2);
  EXPECT_THAT(said_, testing::Each(HasSubstr("does not lead")));
}

TEST_F(ImageWorkerTest, WhatIsLeftBehindIsThrownAwayAfterTheAnswer) {
  std::atomic<bool> thrown_away = false, before_the_answer = false;
  ImageWorker worker(loop_, [](auto with_image) { with_image(SchedulerImage{}); });
  worker.Ask(
      "a",
      [&](const SchedulerImage&, const ImageWorker::GoOn&,
          ImageWorker::Leftovers& leftovers) -> Result<std::string> {
        leftovers = std::shared_ptr<void>(nullptr, [&](void*) { thrown_away = true; });
        before_the_answer = thrown_away.load();
        return "done";
      },
      Note());
  RunUntil(1);
  EXPECT_FALSE(before_the_answer);
  while (!thrown_away) std::this_thread::yield();
}

TEST_F(ImageWorkerTest, OneWhoLeadsNoLongerWhileTheImageIsTakenSaysSo) {
  ImageWorker::WithImage waits;
  ImageWorker worker(loop_, [&](auto with_image) { waits = std::move(with_image); });
  worker.Ask("a", Say("never"), Note());
  worker.Ask("b", Say("never"), Note());
  EXPECT_TRUE(said_.empty());
  std::exchange(waits, nullptr)(std::nullopt);
  EXPECT_THAT(said_, ElementsAre(HasSubstr("does not lead")));
  loop_.Post([&] { loop_.Post([&] { std::exchange(waits, nullptr)(std::nullopt); }); });
  RunUntil(2);
}

TEST_F(ImageWorkerTest, WorkUnderWayIsStoppedWhenTheWorkerGoes) {
  std::atomic<bool> started = false, stopped = false;
  {
    ImageWorker worker(loop_, [](auto with_image) { with_image(SchedulerImage{}); });
    worker.Ask(
        "a",
        [&](const SchedulerImage&, const ImageWorker::GoOn& go_on,
            ImageWorker::Leftovers&) -> Result<std::string> {
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
