#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

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

  void Respond(net::HttpResponse response) override {
    Later([response = std::move(response)](HeldExchange& self) mutable {
      self.exchange_->Respond(std::move(response));
    });
  }
  void StartStream(int status, std::string content_type) override {
    Later([status, type = std::move(content_type)](HeldExchange& self) mutable {
      self.exchange_->StartStream(status, std::move(type));
    });
  }
  void Write(std::string piece) override {
    held_bytes_ += piece.size();
    Later([piece = std::move(piece)](HeldExchange& self) mutable {
      self.held_bytes_ -= piece.size();
      self.exchange_->Write(std::move(piece));
    });
  }
  void End() override {
    Later([](HeldExchange& self) { self.exchange_->End(); });
  }
  std::size_t Unsent() const override { return held_bytes_ + exchange_->Unsent(); }
  void OnSent(std::move_only_function<void()> callback) override {
    Later([callback = std::move(callback)](HeldExchange& self) mutable {
      self.exchange_->OnSent(std::move(callback));
    });
  }
  void OnPeerGone(std::move_only_function<void()> callback) override {
    exchange_->OnPeerGone(std::move(callback));
  }

 private:
  template <class Work>
  void Later(Work work) {
    persistence_.AfterSafe(
        [self = shared_from_this(), work = std::move(work)]() mutable { work(*self); });
  }

  std::shared_ptr<net::HttpExchange> exchange_;
  Persistence& persistence_;
  std::size_t held_bytes_ = 0;
};

}  // namespace basalt::apiserver
