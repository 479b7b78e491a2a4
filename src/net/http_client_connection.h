#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "net/http_client.h"
#include "net/http_parser.h"
#include "net/lazy_deadline.h"
#include "net/stream.h"
#include "net/tls_context.h"

// Only for net/'s .cc files. Loop thread only.
namespace basalt::net {

// One request on its way.
struct ClientCall {
  HttpRequest request;
  Duration deadline{0};         // Clock::Monotonic
  HttpResponseHandler handler;  // one of these two
  HttpStreamObserver* observer = nullptr;
  bool sent_again = false;
};

// What connections of one pool share.
struct ClientShared {
  AsioLoop& loop;
  Url origin;
  HttpClientOptions options;
  ContextPtr tls;  // null: plain
  TlsSessionSlot session;
  std::string read_buffer;  // for what a connection reads and parses at once
  int connections_made = 0;
  int sessions_resumed = 0;
};

class ClientConnection;

// The pool, as its connections see it. `call` is what the connection was working on, if anything.
class ClientConnectionOwner {
 public:
  // Connected and idle.
  virtual void OnReady(ClientConnection& connection) = 0;
  // The response is complete. `reusable`: the connection is idle again, otherwise closed.
  virtual void OnResponse(ClientConnection& connection, std::unique_ptr<ClientCall> call,
                          HttpResponse response, bool reusable) = 0;
  // The connection is closed. `untouched`: nothing of a response came, on a connection that had
  // served others before.
  virtual void OnBroken(ClientConnection& connection, std::unique_ptr<ClientCall> call, Error error,
                        bool untouched) = 0;

 protected:
  ~ClientConnectionOwner() = default;
};

// One connection of the pool: connects, then carries one request after the other. Owned by the pool
// and by what is under way on it.
class ClientConnection final : public StreamOwner,
                               public ResponseSink,
                               public std::enable_shared_from_this<ClientConnection> {
 public:
  ClientConnection(std::shared_ptr<ClientShared> shared, ClientConnectionOwner* owner);
  ~ClientConnection();

  // The owner is told, later, by OnReady or OnBroken.
  void Connect(Duration timeout);
  // Only when idle. Tells the owner later, never from within.
  void Start(std::unique_ptr<ClientCall> call);
  // Got as far as to carry requests, be it closed now.
  bool connected() const { return connected_; }
  // Only when idle: the server has not closed it, as far as can be known.
  bool IsAlive();
  // Closed; the owner is not called any more.
  void Abandon();

  void OnReadable() override;
  void OnWritable() override;
  void OnHead(int status, Headers headers) override;
  void OnBody(std::string_view piece) override;

 private:
  enum class State { kConnecting, kHandshake, kIdle, kBusy, kClosed };

  template <class Endpoints>
  void ConnectTo(const Endpoints& endpoints);
  void OnConnected(boost::system::error_code error);
  void ContinueHandshake();
  void WriteRequest();
  void ReadResponse();
  void ReadWhileIdle();
  void OnStreamEnded(IoStatus status);
  void Complete(bool reusable);
  void Break(Error error);
  void CloseSocket();
  void OnDeadline();
  Error ConnectionError(std::string_view doing) const;

  std::shared_ptr<ClientShared> shared_;
  ClientConnectionOwner* owner_;  // null: abandoned
  boost::asio::ip::tcp::resolver resolver_;
  boost::asio::ip::tcp::socket socket_;  // until it is connected, then in the stream
  std::optional<Stream> stream_;
  State state_ = State::kConnecting;
  bool connected_ = false;
  std::unique_ptr<ClientCall> call_;
  int calls_done_ = 0;
  std::string head_;         // what is written: the head and a small body together
  std::size_t written_ = 0;  // of the head, then of the body
  bool body_apart_ = false;  // the body is written from the request itself
  bool write_done_ = false;
  ResponseParser parser_;
  std::string input_;  // what the parser needs again, with more behind it
  LazyDeadline deadline_;
};

}  // namespace basalt::net
