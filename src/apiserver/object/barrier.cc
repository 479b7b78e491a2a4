#include "apiserver/object/barrier.h"

#include "base/log.h"

namespace basalt::apiserver {
namespace {

Task Surviving(Task task) {
  return [task = std::move(task)]() mutable { Survives("a task", [&task] { task(); }); };
}

}  // namespace

void LogFailure(std::string_view doing, std::string_view why) {
  log::Error("the API server failed and goes on", {{"doing", doing}, {"why", why}});
}

void SurvivingLoop::Post(Task task) { loop_.Post(Surviving(std::move(task))); }

TimerId SurvivingLoop::Schedule(Duration delay, Task task) {
  return loop_.Schedule(delay, Surviving(std::move(task)));
}

}  // namespace basalt::apiserver
