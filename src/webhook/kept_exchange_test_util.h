#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "net/http.h"

namespace basalt::webhook {

// Keeps the answer.
class KeptExchange final : public net::HttpExchange {
 public:
  void Respond(net::HttpResponse response) override { answer = std::move(response); }
  void StartStream(int, std::string) override {}
  void Write(std::string) override {}
  void End() override {}
  void OnPeerGone(std::move_only_function<void()>) override {}
  std::optional<net::HttpResponse> answer;
};

}  // namespace basalt::webhook
