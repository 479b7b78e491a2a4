#include "kube/client/write_gate.h"

#include <utility>

namespace basalt::kube {

WriteGate::WriteGate(ApiClient& api, std::function<bool()> may_write)
    : api_(api), may_write_(std::move(may_write)) {}

void WriteGate::Send(ApiRequest request, ApiHandler handler) {
  if (request.method == "GET") return api_.Send(std::move(request), std::move(handler));
  if (!may_write_()) {
    loop().Post([handler = std::move(handler)]() mutable {
      handler(Fail(ErrorCode::kCancelled, "this process does not lead and writes nothing"));
    });
    return;
  }
  ++under_way_;
  auto ended = scope_.Guard([this] { WriteEnded(); });
  api_.Send(std::move(request), [handler = std::move(handler),
                                 ended = std::move(ended)](Result<ApiResponse> result) mutable {
    handler(std::move(result));
    ended();
  });
}

std::unique_ptr<WatchStream> WriteGate::Watch(ApiRequest request, WatchObserver& observer) {
  return api_.Watch(std::move(request), observer);
}

void WriteGate::WhenQuiet(Callback done) {
  if (under_way_ == 0) return done();
  when_quiet_ = std::move(done);
}

void WriteGate::WriteEnded() {
  if (--under_way_ > 0 || !when_quiet_) return;
  Callback done = std::exchange(when_quiet_, nullptr);
  done();
}

}  // namespace basalt::kube
