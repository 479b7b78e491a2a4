#pragma once

#include <functional>
#include <memory>

#include "kube/client/api_client.h"

namespace basalt::scheduler {

// Lets writes through only while `may_write` says so, asked for each of them at the moment that it
// leaves: a scheduler that has lost its lease writes nothing more, whatever still waits somewhere.
// Reads always pass. A refused write fails with kCancelled, which nobody repeats.
//
// Owned by the scheduler role; `api` must outlive it. Loop thread only.
class WriteGate final : public kube::ApiClient {
 public:
  WriteGate(kube::ApiClient& api, std::function<bool()> may_write);

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override;
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override;
  Loop& loop() override { return api_.loop(); }

  // Calls `done` once when no write is under way, at once if so.
  void WhenQuiet(basalt::Task done);
  int writes_under_way() const { return under_way_; }

 private:
  void WriteEnded();

  kube::ApiClient& api_;
  std::function<bool()> may_write_;
  int under_way_ = 0;
  basalt::Task when_quiet_;
  Scope scope_;
};

}  // namespace basalt::scheduler
