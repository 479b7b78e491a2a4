#pragma once

#include <atomic>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/loop.h"
#include "base/loop_thread.h"
#include "scheduler/scheduler.h"

namespace basalt::scheduler::simulate {

// Works out answers that take long, one after the other, on a thread of its own, each of an image
// of the scheduler taken when its turn comes. All that the scheduling thread does for one is to
// take the image, in pieces; it never waits.
//
// Owned by the scheduler's role, on whose loop all but the work runs; the loop outlives it. On its
// end the work under way is told to stop, and callers that wait get no answer any more.
class ImageWorker {
 public:
  // Now or later; nothing: this scheduler does not lead.
  using WithImage = std::move_only_function<void(std::optional<SchedulerImage>)>;
  using TakeImage = std::function<void(WithImage)>;
  using GoOn = std::function<bool()>;
  // What the work leaves behind is thrown away after its answer has gone out: that takes a while.
  using Leftovers = std::shared_ptr<void>;
  using Work = std::function<Result<std::string>(const SchedulerImage& image, const GoOn& go_on,
                                                 Leftovers& leftovers)>;
  using Done = std::function<void(Result<std::string> answer)>;

  ImageWorker(Loop& loop, TakeImage take_image);
  ~ImageWorker();
  ImageWorker(const ImageWorker&) = delete;
  ImageWorker& operator=(const ImageWorker&) = delete;

  // An asker has one question at a time; of all of them only so many wait. Others are refused at
  // once (kTooManyRequests).
  void Ask(std::string asker, Work work, Done done);

 private:
  struct Question {
    std::string asker;
    Work work;
    Done done;
  };
  void Next();
  void Start(Question question, std::optional<SchedulerImage> image);
  void Finish(const Question& question, Result<std::string> answer);

  Loop& loop_;
  const TakeImage take_image_;
  std::deque<Question> waiting_;
  boost::unordered_flat_set<std::string> askers_;
  bool busy_ = false;
  std::atomic<bool> stop_ = false;  // the work under way is to end
  LoopThread thread_;
  Scope scope_;
};

}  // namespace basalt::scheduler::simulate
