#include "kube/client/pretended_writes.h"

#include <utility>

namespace basalt::kube {

void PretendedWrites::Send(ApiRequest request, ApiHandler handler) {
  if (request.method == "GET") return api_.Send(std::move(request), std::move(handler));
  ++pretended_;
  const int status = request.method == "POST" ? 201 : 200;
  loop().Post([status, body = std::move(request.body), handler = std::move(handler)]() mutable {
    handler(ApiResponse{.status = status, .body = std::move(body)});
  });
}

}  // namespace basalt::kube
