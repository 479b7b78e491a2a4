#include "apiserver/storage/held_exchange.h"

#include <utility>

namespace basalt::apiserver {

void HeldExchange::Respond(net::HttpResponse response) {
  persistence_.AfterSafe([exchange = exchange_, response = std::move(response)]() mutable {
    exchange->Respond(std::move(response));
  });
}

void HeldExchange::StartStream(int status, std::string content_type) {
  persistence_.AfterSafe([exchange = exchange_, status, type = std::move(content_type)]() mutable {
    exchange->StartStream(status, std::move(type));
  });
}

void HeldExchange::Write(std::string piece) {
  held_bytes_ += piece.size();
  persistence_.AfterSafe([self = shared_from_this(), piece = std::move(piece)]() mutable {
    self->held_bytes_ -= piece.size();
    self->exchange_->Write(std::move(piece));
  });
}

void HeldExchange::End() {
  persistence_.AfterSafe([exchange = exchange_] { exchange->End(); });
}

void HeldExchange::OnSent(std::move_only_function<void()> callback) {
  persistence_.AfterSafe([exchange = exchange_, callback = std::move(callback)]() mutable {
    exchange->OnSent(std::move(callback));
  });
}

void HeldExchange::OnPeerGone(std::move_only_function<void()> callback) {
  exchange_->OnPeerGone(std::move(callback));
}

}  // namespace basalt::apiserver
