#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/types/pod.h"
#include "model/outcome.h"
#include "scheduler/effects/said_lately.h"
#include "scheduler/effects/write_lanes.h"

namespace basalt::scheduler {

// What the writers share. A writer takes the intents about one kind of object: it finds out what of
// them has to be written, adds the write to a lane under the object's uid, and reports how it
// ended. A further kind of object is a further writer and a line in Effects::Submit. Owned by
// Effects; loop thread only.
struct Writing {
  // A status that was written and did not come back in the watch may be lost.
  static constexpr Duration kSayAgain = 60s;
  // Figures in a message (how many nodes, how many pods) change all the time.
  static constexpr Duration kSayInOtherWords = 10s;

  Writing(kube::Client& to, kube::EventRecorder& recorder, WriteLanes::Options budget,
          std::function<void(model::Outcome)> told)
      : client(to),
        events(recorder),
        report(std::move(told)),
        lanes(to.loop(), budget),
        said(to.loop(), kSayAgain, kSayInOtherWords) {}

  Loop& loop() { return client.loop(); }
  void Report(model::Outcome::Kind kind, model::TaskId task, const kube::Pod& pod,
              Result<void> result) {
    report({.kind = kind, .task = task, .uid = pod.meta.uid, .result = std::move(result)});
  }

  kube::Client& client;
  kube::EventRecorder& events;
  std::function<void(model::Outcome)> report;
  WriteLanes lanes;
  SaidLately said;       // of pods and groups that wait
  bool stopped = false;  // this scheduler no longer leads: nothing is begun any more
};

inline kube::Target PodTarget(const kube::Pod& pod, std::string_view subresource = "") {
  return {kube::resources::kPods, pod.meta.ns, pod.meta.name, subresource};
}

inline Result<void> Succeeded(const Result<kube::ApiResponse>& response) {
  if (response) return {};
  return std::unexpected(response.error());
}

}  // namespace basalt::scheduler
