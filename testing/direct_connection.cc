#include "testing/direct_connection.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "testing/direct_network.h"

namespace basalt::testutil {
namespace {

Error Reset() { return {.code = ErrorCode::kUnavailable, .message = "connection reset by peer"}; }

Error Refused() {
  return {.code = ErrorCode::kUnavailable, .message = "connection refused", .unsent = true};
}

}  // namespace

DirectConnection::DirectConnection(DirectNetwork& network, Client client)
    : network_(&network),
      id_(network.next_connection_++),
      client_(std::move(client)),
      timeout_(network.loop_) {}

DirectConnection::~DirectConnection() {
  if (network_ != nullptr) network_->connections_.erase(id_);
}

void DirectConnection::Send(net::HttpRequest request, Duration timeout) {
  network_->connections_.emplace(id_, weak_from_this());
  const FaultPlan& plan = network_->plan_;
  FaultCounts& counts = network_->counts_;
  Random& random = network_->random_;
  ++counts.requests;
  timeout_.Start(
      timeout, [this] { Break({.code = ErrorCode::kTimeout, .message = "no response in time"}); });

  if (random.Chance(plan.refuse)) {
    ++counts.refused;
    DeliverEnd(random.Chance(0.5) ? Refused() : Reset());
    return;
  }
  const std::pair<double, int> errors[] = {
      {plan.too_many_requests, 429}, {plan.internal_error, 500}, {plan.unavailable, 503}};
  for (const auto& [chance, status] : errors) {
    if (!random.Chance(chance)) continue;
    ++counts.error_responses;
    net::HttpResponse response{
        .status = status, .content_type = "text/plain", .body = "a fault that the test asked for"};
    if (status == 429) response.headers.push_back({"Retry-After", "1"});
    server_open_ = true;
    Respond(std::move(response));
    return;
  }
  lose_response_ = random.Chance(plan.lose_response);
  network_->loop_.Schedule(network_->Latency(),
                           [self = shared_from_this(), request = std::move(request)]() mutable {
                             if (self->network_ == nullptr) return;
                             if (self->network_->down()) {
                               self->DeliverEnd(Refused());
                               return;
                             }
                             // A client that is gone by now does not take its request back.
                             self->server_open_ = true;
                             self->network_->server_(std::move(request), self);
                           });
}

void DirectConnection::Close() {
  FinishClient();
  if (network_ == nullptr) return;
  network_->loop_.Schedule(network_->Latency(),
                           [self = shared_from_this()] { self->DropServer(); });
}

void DirectConnection::Break(Error error) {
  if (network_ == nullptr) return;
  // Posted: the caller may be the server or the client itself. A stalled stream says nothing.
  if (!stalled_)
    network_->loop_.Post([self = shared_from_this(), error = std::move(error)] {
      if (!self->client_open_) return;
      self->FinishClient();
      self->client_.on_end(error);
    });
  DropServer();
}

void DirectConnection::Detach() {
  network_ = nullptr;
  FinishClient();
  FinishServer();
}

void DirectConnection::FinishClient() {
  client_open_ = false;
  timeout_.Stop();
}

void DirectConnection::FinishServer() {
  server_open_ = false;
  on_peer_gone_ = nullptr;
}

void DirectConnection::DropServer() {
  if (peer_gone_ || network_ == nullptr) return;
  peer_gone_ = true;
  if (on_peer_gone_) network_->loop_.Post(std::move(on_peer_gone_));
  FinishServer();
}

void DirectConnection::Deliver(Duration extra,
                               std::move_only_function<void(DirectConnection&)> deliver) {
  Loop& loop = network_->loop_;
  const Duration now = loop.Monotonic();
  last_delivery_ = std::max(last_delivery_, now + network_->Latency() + extra);
  loop.Schedule(last_delivery_ - now,
                [self = shared_from_this(), deliver = std::move(deliver)]() mutable {
                  if (self->client_open_) deliver(*self);
                });
}

void DirectConnection::DeliverEnd(Error error) {
  Deliver(0s, [error = std::move(error)](DirectConnection& self) {
    self.FinishClient();
    self.client_.on_end(error);
  });
}

void DirectConnection::Respond(net::HttpResponse response) {
  if (!server_open_) return;
  FinishServer();
  if (lose_response_) {
    ++network_->counts_.lost_responses;
    DeliverEnd(Reset());
    return;
  }
  Deliver(0s, [response = std::move(response)](DirectConnection& self) mutable {
    self.FinishClient();
    self.client_.on_response(std::move(response));
  });
}

void DirectConnection::StartStream(int status, std::string /*content_type*/) {
  BASALT_CHECK(status < 400);
  if (!server_open_) return;
  if (lose_response_) {
    ++network_->counts_.lost_responses;
    Break(Reset());
    return;
  }
  Deliver(0s, [](DirectConnection& self) { self.timeout_.Stop(); });
}

void DirectConnection::Write(std::string piece) {
  if (!server_open_ || stalled_) return;
  const FaultPlan& plan = network_->plan_;
  FaultCounts& counts = network_->counts_;
  Random& random = network_->random_;
  if (random.Chance(plan.stall_watch)) {
    ++counts.stalled_watches;
    stalled_ = true;
    return;
  }
  const bool cut = random.Chance(plan.cut_watch);
  if (cut) {
    ++counts.cut_watches;
    piece.resize(random.Below(piece.size() + 1));
  }
  Duration delay{0};
  if (random.Chance(plan.delay_piece) && plan.most_delay > Duration::zero()) {
    ++counts.delayed_pieces;
    delay = Duration(random.Below(plan.most_delay.count()));
  }
  Deliver(delay,
          [piece = std::move(piece)](DirectConnection& self) { self.client_.on_piece(piece); });
  if (cut) {
    DeliverEnd(Reset());
    DropServer();
  }
}

void DirectConnection::End() {
  if (!server_open_) return;
  FinishServer();
  if (!stalled_) DeliverEnd({.code = ErrorCode::kCancelled});
}

void DirectConnection::OnPeerGone(std::move_only_function<void()> callback) {
  if (network_ == nullptr) return;
  if (peer_gone_) {
    network_->loop_.Post(std::move(callback));
  } else if (server_open_) {
    on_peer_gone_ = std::move(callback);
  }
}

}  // namespace basalt::testutil
