#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>

#include "base/loop.h"
#include "kube/client/api_client.h"

namespace basalt::scheduler {

// Writes down all that a role sees and does: what its loop and its API client give it, which is
// everything that its decisions depend on, and the requests that it makes. A Replay gives the same
// to another process, and the same decisions must come out. Text, an entry a line; docs/replay.md
// has the format.
//
//   Recorder recorder(file);
//   RecordingLoop loop(real_loop, recorder);
//   RecordingApiClient api(real_api, loop, recorder);
//   kube::Client client(api);
//   SchedulerService service(loop, client, …);
//
// Copies share one stream, which must outlive them and what they record. Loop thread only.
class Recorder {
 public:
  explicit Recorder(std::ostream& out);

  // Something that the replay needs to set up the role: its configuration.
  void Note(std::string_view name, std::string_view text);

 private:
  friend class RecordingLoop;
  friend class RecordingApiClient;
  struct Log;
  std::shared_ptr<Log> log_;
};

// Passes everything on, and records the clock and which callback runs. Unlike other loops it is
// only for tasks of its own thread.
class RecordingLoop final : public Loop {
 public:
  RecordingLoop(Loop& loop, Recorder recorder);

  Time Now() const override;
  Duration Monotonic() const override;
  void Post(Callback callback) override;
  TimerId Schedule(Duration delay, Callback callback) override;
  void Cancel(TimerId id) override { loop_.Cancel(id); }

 private:
  Callback Recorded(Callback callback);

  Loop& loop_;
  std::shared_ptr<Recorder::Log> log_;
};

// Passes everything on, and records requests, answers and frames.
class RecordingApiClient final : public kube::ApiClient {
 public:
  RecordingApiClient(kube::ApiClient& api, RecordingLoop& loop, Recorder recorder);

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override;
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override;
  Loop& loop() override { return loop_; }

 private:
  class RecordedWatch;

  kube::ApiClient& api_;
  RecordingLoop& loop_;
  std::shared_ptr<Recorder::Log> log_;
};

}  // namespace basalt::scheduler
