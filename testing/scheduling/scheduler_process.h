#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "kube/client/client.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/direct_api_client.h"
#include "testing/replay/recorder.h"

namespace basalt::testutil {

// When a process dies by itself: with one of its writes to the API server.
struct Death {
  std::uint64_t write = 0;  // the how manieth
  bool after = false;       // the write still goes out; nobody hears of its answer
};

// Passes everything on, counts writes, and tells when the fatal one comes.
class FatalWrites final : public kube::ApiClient {
 public:
  FatalWrites(DirectApiClient& api, std::optional<Death> death, std::function<void()> on_death);

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override;
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override;
  Loop& loop() override { return api_.loop(); }

  // Of objects; the lease of an election does not count.
  std::uint64_t writes() const { return writes_; }

 private:
  DirectApiClient& api_;
  std::optional<Death> death_;
  std::function<void()> on_death_;
  std::uint64_t writes_ = 0;
};

// A scheduler that stands for a process of its own: it can die at any moment, and then nothing that
// it has not sent goes out. Owned by the test.
class SchedulerProcess {
 public:
  // All that it sees and does goes to `record`, where there is one.
  SchedulerProcess(DirectNetwork& network, scheduler::SchedulerServiceOptions options,
                   const std::string& config, std::optional<Death> death = {},
                   std::function<void()> on_death = {}, std::ostream* record = nullptr);
  ~SchedulerProcess();

  scheduler::SchedulerService& service() { return *service_; }
  std::uint64_t writes() const { return writes_.writes(); }

 private:
  struct Recording {
    Recording(Loop& real_loop, kube::ApiClient& real_api, std::ostream& out,
              const std::string& config);
    scheduler::Recorder recorder;
    scheduler::RecordingLoop loop;
    scheduler::RecordingApiClient api;
  };

  DirectApiClient api_;
  FatalWrites writes_;
  std::unique_ptr<Recording> recording_;
  kube::Client client_;
  std::unique_ptr<scheduler::SchedulerService> service_;
};

}  // namespace basalt::testutil
