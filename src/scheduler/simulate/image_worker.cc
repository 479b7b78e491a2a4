#include "scheduler/simulate/image_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace basalt::scheduler::simulate {
namespace {

constexpr std::size_t kMostWaiting = 16;
constexpr std::chrono::seconds kLongest{20};

}  // namespace

ImageWorker::ImageWorker(Loop& loop, TakeImage take_image)
    : loop_(loop), take_image_(std::move(take_image)) {
  thread_.Start();
  thread_.loop().Post([] {
    // Where processors are short the scheduling thread goes first.
    constexpr int kNice = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
  });
}

ImageWorker::~ImageWorker() {
  stop_ = true;
  thread_.Stop();
}

void ImageWorker::Ask(std::string asker, Work work, Done done) {
  if (askers_.contains(asker)) {
    return done(Fail(ErrorCode::kTooManyRequests,
                     "your last question is still being worked on: ask one at a time"));
  }
  if (waiting_.size() >= kMostWaiting) {
    return done(Fail(ErrorCode::kTooManyRequests,
                     "too many questions wait for the scheduler: ask again in a moment"));
  }
  askers_.insert(asker);
  waiting_.push_back({std::move(asker), std::move(work), std::move(done)});
  Next();
}

void ImageWorker::Finish(const Question& question, Result<std::string> answer) {
  askers_.erase(question.asker);
  question.done(std::move(answer));
}

void ImageWorker::Next() {
  if (busy_ || waiting_.empty()) return;
  busy_ = true;
  Question question = std::move(waiting_.front());
  waiting_.pop_front();
  take_image_(scope_.Guard(
      [this, question = std::move(question)](std::optional<SchedulerImage> image) mutable {
        Start(std::move(question), std::move(image));
      }));
}

void ImageWorker::Start(Question question, std::optional<SchedulerImage> image) {
  if (!image) {
    busy_ = false;
    Finish(question,
           Fail(ErrorCode::kUnavailable, "this scheduler does not lead: ask again in a moment"));
    return loop_.Post(scope_.Guard([this] { Next(); }));
  }
  Work work = std::move(question.work);
  auto finished = scope_.Guard([this, question = std::move(question)](Result<std::string> answer) {
    busy_ = false;
    Finish(question, std::move(answer));
    Next();
  });
  thread_.loop().Post([this, image = *std::move(image), work = std::move(work),
                       finished = std::move(finished)]() mutable {
    const auto end = std::chrono::steady_clock::now() + kLongest;
    const GoOn go_on = [&] { return !stop_ && std::chrono::steady_clock::now() < end; };
    Leftovers leftovers;
    Result<std::string> answer = work(image, go_on, leftovers);
    loop_.Post([finished = std::move(finished), answer = std::move(answer)]() mutable {
      finished(std::move(answer));
    });
    // Image and leftovers end here and not on the loop: they may hold the last of many objects.
  });
}

}  // namespace basalt::scheduler::simulate
