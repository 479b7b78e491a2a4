#pragma once

#include <functional>
#include <memory>

#include "kube/client/api_client.h"

namespace basalt::kube {

// Lets writes through only while `may_write` says so, asked for each of them at the moment that it
// leaves: a role that has lost its lease writes nothing more, whatever still waits somewhere.
// Reads always pass. A refused write fails with kCancelled, which is never repeated.
//
// Owned by a role; `api` must outlive it. Loop thread only.
class WriteGate final : public ApiClient {
 public:
  WriteGate(ApiClient& api, std::function<bool()> may_write);

  void Send(ApiRequest request, ApiHandler handler) override;
  std::unique_ptr<WatchStream> Watch(ApiRequest request, WatchObserver& observer) override;
  Loop& loop() override { return api_.loop(); }

  // Calls `done` once when no write is under way, at once if so.
  void WhenQuiet(Callback done);
  int writes_under_way() const { return under_way_; }

 private:
  void WriteEnded();

  ApiClient& api_;
  std::function<bool()> may_write_;
  int under_way_ = 0;
  Callback when_quiet_;
  Scope scope_;
};

}  // namespace basalt::kube
