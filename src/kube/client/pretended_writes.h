#pragma once

#include <cstdint>
#include <memory>

#include "kube/client/api_client.h"

namespace basalt::kube {

// Reads pass; a write never leaves this process, and its sender is told that it worked. For a role
// that runs beside another and must not be noticed. Owned by that role; `api` must outlive it. Loop
// thread only.
class PretendedWrites final : public ApiClient {
 public:
  explicit PretendedWrites(ApiClient& api) : api_(api) {}

  void Send(ApiRequest request, ApiHandler handler) override;
  std::unique_ptr<WatchStream> Watch(ApiRequest request, WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

  std::uint64_t pretended() const { return pretended_; }

 private:
  ApiClient& api_;
  std::uint64_t pretended_ = 0;
};

}  // namespace basalt::kube
