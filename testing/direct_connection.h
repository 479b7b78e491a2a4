#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/loop.h"
#include "net/http.h"

namespace basalt::testutil {

class DirectNetwork;

// One request on its way through a DirectNetwork: to the server the exchange, to the client what
// calls back. Shared by the client, by the server (as the exchange) and by tasks on the loop; it
// may outlive the network, and then does nothing any more.
class DirectConnection final : public net::HttpExchange,
                               public std::enable_shared_from_this<DirectConnection> {
 public:
  // The client's end. Each is called on the loop, on_response or on_end at most once and last.
  struct Client {
    std::function<void(net::HttpResponse)> on_response;
    std::function<void(std::string_view piece)> on_piece;  // of a stream
    std::function<void(const Error&)> on_end;  // kCancelled: the server ended the stream
  };

  DirectConnection(DirectNetwork& network, Client client);
  ~DirectConnection() override;

  void Send(net::HttpRequest request, Duration timeout);
  // The client goes away: it hears nothing any more, and the server hears that it went.
  void Close();
  // The connection breaks: both ends hear of it.
  void Break(Error error);
  // The network goes away.
  void Detach();
  bool at_server() const { return server_open_; }

  void Respond(net::HttpResponse response) override;
  void StartStream(int status, std::string content_type) override;
  void Write(std::string piece) override;
  void End() override;
  void OnPeerGone(std::move_only_function<void()> callback) override;

 private:
  // Runs `deliver` at the client's end after a latency, behind all that was sent before it.
  void Deliver(Duration extra, std::move_only_function<void(DirectConnection&)> deliver);
  // Tells the client, behind all that was sent before.
  void DeliverEnd(Error error);
  void FinishClient();
  void FinishServer();
  // The server hears that the client is gone.
  void DropServer();

  DirectNetwork* network_;
  const std::uint64_t id_;
  Client client_;
  bool client_open_ = true;
  bool server_open_ = false;  // between arrival at the server and its last word
  bool lose_response_ = false;
  bool stalled_ = false;  // what the server writes from now on vanishes
  bool peer_gone_ = false;
  Duration last_delivery_{0};
  std::move_only_function<void()> on_peer_gone_;
  Timer timeout_;
};

}  // namespace basalt::testutil
