#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "apiserver/storage/persistence.h"
#include "net/http.h"

namespace basalt::apiserver {

// A request's answer, held back until everything that it may tell of is safe: also reads and
// watches, so that no client ever saw a state that a crash can take back. `persistence` must
// outlive it.
class HeldExchange final : public net::HttpExchange,
                           public std::enable_shared_from_this<HeldExchange> {
 public:
  HeldExchange(std::shared_ptr<net::HttpExchange> exchange, Persistence& persistence)
      : exchange_(std::move(exchange)), persistence_(persistence) {}

  void Respond(net::HttpResponse response) override;
  void StartStream(int status, std::string content_type) override;
  void Write(std::string piece) override;
  void End() override;
  std::size_t Unsent() const override { return held_bytes_ + exchange_->Unsent(); }
  void OnSent(std::move_only_function<void()> callback) override;
  void OnPeerGone(std::move_only_function<void()> callback) override;

 private:
  std::shared_ptr<net::HttpExchange> exchange_;
  Persistence& persistence_;
  std::size_t held_bytes_ = 0;
};

}  // namespace basalt::apiserver
