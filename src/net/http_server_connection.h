#pragma once

#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "net/http.h"
#include "net/http_parser.h"
#include "net/http_server.h"
#include "net/lazy_deadline.h"
#include "net/out_queue.h"
#include "net/stream.h"

// Only for net/'s .cc files. Loop thread only.
namespace basalt::net {

struct ServerShared;

// Of a list that a connection is in while it is open, and takes itself out of.
template <class Tag>
using ListHook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<Tag>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
struct WaitingTag;
struct BodyTag;

// One connection of a client: reads a request, hands it to the handler, writes the answer, and so
// on. One request at a time; what the client sends ahead waits. Kept alive by the server's list and
// by the exchange in work.
class ServerConnection final : public StreamOwner,
                               public ListHook<WaitingTag>,
                               public ListHook<BodyTag>,
                               public std::enable_shared_from_this<ServerConnection> {
 public:
  ServerConnection(std::shared_ptr<ServerShared> shared, Stream::Socket socket, SslPtr ssl);
  ~ServerConnection();

  void Start();
  // Ends a stream, closes when idle; otherwise closes after the answer.
  void CloseGently();
  // At once. The handler of an unfinished exchange learns that the peer is gone.
  void Close();

  // For the exchange with this number; ignored when it is over.
  void Respond(std::uint64_t exchange, HttpResponse response);
  void StartStream(std::uint64_t exchange, int status, std::string content_type);
  void WriteStream(std::uint64_t exchange, std::string piece);
  void EndStream(std::uint64_t exchange);
  std::size_t Unsent(std::uint64_t exchange) const;
  void OnSent(std::uint64_t exchange, std::move_only_function<void()> callback);
  void OnPeerGone(std::uint64_t exchange, std::move_only_function<void()> callback);
  // The handler let go of it.
  void OnDropped(std::uint64_t exchange);

  void OnReadable() override;
  void OnWritable() override;

 private:
  enum class State {
    kHandshake,
    kReading,    // a request, or waiting for one
    kHandling,   // the handler has it
    kStreaming,  // a response without an end yet
    kDraining,   // last answer given; reads and drops what comes, so that the peer gets the answer
    kClosed,
  };

  bool Current(std::uint64_t exchange, State state) const {
    return exchange_ == exchange && state_ == state;
  }
  bool FillInput();
  void Consume(std::size_t bytes);
  void Process();
  bool ParseOne();
  // A header has arrived: whether its body and the handler are to follow.
  bool AdmitHeader(bool has_body);
  void HandOver();
  // Counts what the body has so far. False: there is no room for it and the request is refused.
  bool ChargeBody();
  void ReleaseBody();
  void Wait();
  void StopWaiting() { ListHook<WaitingTag>::unlink(); }
  void Refuse(int status, std::string_view message);
  void AppendHead(int status, std::string_view content_type, const Headers& headers,
                  std::optional<std::size_t> length, std::string& out);
  void FinishExchange();
  void Flush();
  void PostFlush();
  void SetWriteDeadline();
  void AfterFlush();
  void PostSent();
  void StartDraining();
  void OnReadDeadline();

  std::shared_ptr<ServerShared> shared_;
  Stream stream_;
  State state_ = State::kHandshake;
  RequestParser parser_;
  std::string input_;  // read, not yet parsed
  OutQueue output_;
  std::uint64_t exchange_ = 0;  // number of the current or last one
  std::size_t body_bytes_ = 0;  // of the request, as counted in the server's
  Duration response_due_{0};    // when the peer must have read the last response
  bool processing_ = false;     // in Process, which goes on by itself
  bool keep_alive_ = true;
  bool http11_ = true;
  bool to_head_ = false;
  bool chunked_ = false;
  bool continued_ = false;  // 100 Continue was sent for this request
  bool closing_ = false;    // the server shuts down
  bool close_when_flushed_ = false;
  bool output_blocked_ = false;
  bool flush_posted_ = false;
  std::move_only_function<void()> peer_gone_;
  std::move_only_function<void()> sent_;  // of the stream that is open
  LazyDeadline read_deadline_;
  LazyDeadline write_deadline_;
};

template <class Tag>
using ConnectionList =
    boost::intrusive::list<ServerConnection, boost::intrusive::base_hook<ListHook<Tag>>,
                           boost::intrusive::constant_time_size<false>>;

// What the connections of a server share; it may outlive the server.
struct ServerShared {
  AsioLoop& loop;
  HttpServerOptions options;
  HttpHandler handler;
  // Takes the connection from the server's list; empty once the server is gone.
  std::function<void(ServerConnection&)> on_closed;
  // There is a connection that waits for its peer, after there was none.
  std::function<void()> on_waiting;
  // Those that wait for their peer, the longest first.
  ConnectionList<WaitingTag> waiting;
  // Those whose request's body is on its way.
  ConnectionList<BodyTag> reading_bodies;
  std::size_t bytes_of_bodies = 0;  // read or handled
  std::string read_buffer;          // one for all: there may be many, and one reads at a time
};

}  // namespace basalt::net
