#include "net/http_server_connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "net/http_text.h"

namespace basalt::net {
namespace {

constexpr std::size_t kRequestReadSize = 16 * 1024;
// What a client may send ahead while its request is handled; then it has to wait.
constexpr std::size_t kMostAhead = 64 * 1024;
// A stream's pieces leave together at the end of the loop's turn, or when they are this many bytes.
constexpr std::size_t kFlushAt = 64 * 1024;
constexpr Duration kDrainTime = 2s;

HttpResponse TextRefusal(int status, std::string_view message) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = fmt::format("{}\n", message)};
}

// The handler's hold on one request. It keeps the connection, not the peer, alive.
class Exchange final : public HttpExchange {
 public:
  Exchange(std::shared_ptr<ServerConnection> connection, std::uint64_t number)
      : connection_(std::move(connection)), number_(number) {}
  ~Exchange() override { connection_->OnDropped(number_); }
  void Respond(HttpResponse response) override {
    connection_->Respond(number_, std::move(response));
  }
  void StartStream(int status, std::string content_type) override {
    connection_->StartStream(number_, status, std::move(content_type));
  }
  void Write(std::string piece) override { connection_->WriteStream(number_, std::move(piece)); }
  void End() override { connection_->EndStream(number_); }
  std::size_t Unsent() const override { return connection_->Unsent(number_); }
  void OnSent(std::move_only_function<void()> callback) override {
    connection_->OnSent(number_, std::move(callback));
  }
  void OnPeerGone(std::move_only_function<void()> callback) override {
    connection_->OnPeerGone(number_, std::move(callback));
  }

 private:
  std::shared_ptr<ServerConnection> connection_;
  std::uint64_t number_;
};

}  // namespace

ServerConnection::ServerConnection(std::shared_ptr<ServerShared> shared, Stream::Socket socket,
                                   SslPtr ssl)
    : shared_(std::move(shared)),
      stream_(std::move(socket), std::move(ssl), *this),
      parser_({.header_bytes = static_cast<std::uint32_t>(shared_->options.max_header_bytes),
               .body_bytes = shared_->options.max_body_bytes}),
      read_deadline_(shared_->loop, [this] { OnReadDeadline(); }),
      write_deadline_(shared_->loop, [this] { Close(); }) {}

ServerConnection::~ServerConnection() {
  StopWaiting();
  ReleaseBody();
}

void ServerConnection::Start() {
  read_deadline_.Set(shared_->options.header_timeout);
  Wait();
  // The request is mostly there already: its connection then does not count as waiting for one.
  OnReadable();
}

void ServerConnection::OnReadable() {
  const auto self = shared_from_this();
  if (state_ == State::kHandshake) {
    switch (stream_.Handshake()) {
      case IoStatus::kOk: state_ = State::kReading; break;
      case IoStatus::kWouldBlock: return stream_.WaitReadable();
      default: return Close();
    }
  }
  if (!FillInput()) return Close();
  Process();
  if (state_ != State::kClosed && input_.size() < kMostAhead) stream_.WaitReadable();
}

// False: the peer has gone.
bool ServerConnection::FillInput() {
  std::string& buffer = shared_->read_buffer;
  buffer.resize(kRequestReadSize);
  while (input_.size() < kMostAhead) {
    const IoResult result = stream_.Read(buffer.data(), buffer.size());
    if (state_ != State::kDraining) input_.append(buffer.data(), result.bytes);
    if (result.status == IoStatus::kWouldBlock) return true;
    if (result.status != IoStatus::kOk) return false;
    if (!stream_.HasBuffered() && result.bytes < kRequestReadSize)
      return true;  // waiting finds the rest
  }
  return true;
}

// A connection without work holds no memory for it.
void ServerConnection::Consume(std::size_t bytes) {
  if (bytes < input_.size()) {
    input_.erase(0, bytes);
  } else {
    std::string().swap(input_);
  }
}

// Handles all requests that are complete. A handler that answers at once does not recurse: it comes
// back here.
void ServerConnection::Process() {
  if (processing_) return;
  processing_ = true;
  while (state_ == State::kReading && output_.empty() && !close_when_flushed_ && ParseOne()) {
  }
  processing_ = false;
  // Also while a request is handled: it is how a peer that goes away is noticed.
  if (state_ != State::kClosed && input_.size() < kMostAhead) stream_.WaitReadable();
}

// False: there is no complete request to go on with.
bool ServerConnection::ParseOne() {
  const HttpServerOptions& options = shared_->options;
  const bool fresh = !parser_.started();
  if (input_.empty()) return false;
  ParseResult result = parser_.Feed(input_);
  Consume(result.consumed);
  if (result.state == ParseState::kHeader) {
    if (!AdmitHeader(true)) return false;
    read_deadline_.Set(options.body_timeout);
    result = parser_.Feed(input_);
    Consume(result.consumed);
    if (result.state == ParseState::kNeedMore && parser_.expects_continue() && !continued_) {
      continued_ = true;
      output_.Append("HTTP/1.1 100 Continue\r\n\r\n");
      Flush();
      if (state_ != State::kReading) return false;
    }
  } else if (result.state == ParseState::kDone && !ListHook<BodyTag>::is_linked()) {
    if (!AdmitHeader(false)) return true;
  }
  switch (result.state) {
    case ParseState::kBad: Refuse(400, fmt::format("bad request: {}", parser_.problem())); break;
    case ParseState::kUnsupported: Refuse(501, parser_.problem()); break;
    case ParseState::kHeaderTooLarge: Refuse(431, "the request's header is too large"); break;
    case ParseState::kBodyTooLarge:
      Refuse(413, fmt::format("the request's body is too large: the limit is {} bytes",
                              options.max_body_bytes));
      break;
    case ParseState::kHeader:
    case ParseState::kNeedMore:
      if (parser_.header_done()) {
        ChargeBody();
      } else if (fresh) {
        read_deadline_.Set(options.header_timeout);
      }
      break;
    case ParseState::kDone:
      if (!ChargeBody()) break;
      HandOver();
      return true;
  }
  return false;
}

bool ServerConnection::AdmitHeader(bool has_body) {
  StopWaiting();
  std::optional<HttpResponse> answer;
  if (shared_->options.judge) answer = shared_->options.judge(parser_.request());
  if (!answer) {
    if (has_body) shared_->reading_bodies.push_back(*this);
    return true;
  }
  read_deadline_.Clear();
  state_ = State::kHandling;
  ++exchange_;
  keep_alive_ = parser_.keep_alive() && !closing_ && !has_body;  // the body is not read
  http11_ = parser_.http11();
  to_head_ = parser_.is_head();
  parser_.Reset();
  Respond(exchange_, std::move(*answer));
  return false;
}

void ServerConnection::HandOver() {
  ListHook<BodyTag>::unlink();
  read_deadline_.Clear();
  state_ = State::kHandling;
  ++exchange_;
  keep_alive_ = parser_.keep_alive() && !closing_;
  http11_ = parser_.http11();
  to_head_ = parser_.is_head();
  continued_ = false;
  HttpRequest request = parser_.TakeRequest();
  parser_.Reset();
  shared_->handler(std::move(request), std::make_shared<Exchange>(shared_from_this(), exchange_));
}

bool ServerConnection::ChargeBody() {
  const std::size_t bytes = parser_.request().body.size();
  shared_->bytes_of_bodies += bytes - body_bytes_;
  body_bytes_ = bytes;
  while (shared_->bytes_of_bodies > shared_->options.max_bytes_of_bodies) {
    ServerConnection* largest = this;
    for (ServerConnection& other : shared_->reading_bodies) {
      if (other.body_bytes_ > largest->body_bytes_) largest = &other;
    }
    const auto held = largest->shared_from_this();
    held->Refuse(503, "too many large requests at once");
    if (largest == this) return false;
  }
  return true;
}

void ServerConnection::ReleaseBody() {
  ListHook<BodyTag>::unlink();
  shared_->bytes_of_bodies -= body_bytes_;
  body_bytes_ = 0;
}

// It is the peer's turn.
void ServerConnection::Wait() {
  if (ListHook<WaitingTag>::is_linked()) return;
  const bool first = shared_->waiting.empty();
  shared_->waiting.push_back(*this);
  if (first && shared_->on_waiting) shared_->on_waiting();
}

// Answers without the handler and ends the connection: what follows cannot be understood.
void ServerConnection::Refuse(int status, std::string_view message) {
  HttpResponse response = shared_->options.refusal ? shared_->options.refusal(status, message)
                                                   : TextRefusal(status, message);
  if (status == 503) response.headers.push_back({"Retry-After", "1"});
  parser_.Reset();
  state_ = State::kHandling;
  ++exchange_;
  keep_alive_ = false;
  http11_ = true;
  to_head_ = false;
  Respond(exchange_, std::move(response));
}

void ServerConnection::AppendHead(int status, std::string_view content_type, const Headers& headers,
                                  std::optional<std::size_t> length, std::string& out) {
  out += fmt::format("HTTP/1.1 {} {}\r\n", status, ReasonPhrase(status));
  AppendHeader(out, "Date", HttpDate(shared_->loop.Now()));
  if (!content_type.empty()) AppendHeader(out, "Content-Type", content_type);
  if (length) {
    if (status != 204 && status != 304) out += fmt::format("Content-Length: {}\r\n", *length);
  } else if (http11_) {
    out += "Transfer-Encoding: chunked\r\n";
  }
  for (const Header& header : headers) AppendHeader(out, header.name, header.value);
  if (!keep_alive_) {
    out += "Connection: close\r\n";
  } else if (!http11_) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
}

void ServerConnection::Respond(std::uint64_t exchange, HttpResponse response) {
  if (!Current(exchange, State::kHandling)) return;
  const auto self = shared_from_this();
  std::string head;
  head.reserve(256);
  AppendHead(response.status, response.content_type, response.headers, response.body.size(), head);
  output_.Append(std::move(head));
  if (!to_head_ && response.status != 204 && response.status != 304) {
    output_.Append(std::move(response.body));
  }
  FinishExchange();
}

void ServerConnection::StartStream(std::uint64_t exchange, int status, std::string content_type) {
  if (!Current(exchange, State::kHandling)) return;
  state_ = State::kStreaming;
  ReleaseBody();
  chunked_ = http11_;
  if (!http11_) keep_alive_ = false;
  std::string head;
  AppendHead(status, content_type, {}, std::nullopt, head);
  output_.Append(std::move(head));
  PostFlush();
}

void ServerConnection::WriteStream(std::uint64_t exchange, std::string piece) {
  if (!Current(exchange, State::kStreaming) || piece.empty() || to_head_) return;
  if (chunked_) {
    output_.Append(fmt::format("{:x}\r\n", piece.size()));
    output_.Append(std::move(piece));
    output_.Append("\r\n");
  } else {
    output_.Append(std::move(piece));
  }
  if (output_.size() < kFlushAt) return PostFlush();
  const auto self = shared_from_this();
  Flush();
  if (state_ != State::kClosed && output_.size() > shared_->options.max_stream_backlog) Close();
}

void ServerConnection::EndStream(std::uint64_t exchange) {
  if (!Current(exchange, State::kStreaming)) return;
  const auto self = shared_from_this();
  if (chunked_ && !to_head_) output_.Append("0\r\n\r\n");
  FinishExchange();
}

std::size_t ServerConnection::Unsent(std::uint64_t exchange) const {
  return Current(exchange, State::kStreaming) ? output_.size() : 0;
}

void ServerConnection::OnSent(std::uint64_t exchange, std::move_only_function<void()> callback) {
  if (!Current(exchange, State::kStreaming)) return;
  sent_ = std::move(callback);
  if (output_.empty()) PostSent();
}

// Not from within a write: the callback writes again.
void ServerConnection::PostSent() {
  if (!sent_) return;
  shared_->loop.Post([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr || self->state_ != State::kStreaming || !self->output_.empty()) return;
    if (auto callback = std::exchange(self->sent_, nullptr)) callback();
  });
}

void ServerConnection::OnPeerGone(std::uint64_t exchange,
                                  std::move_only_function<void()> callback) {
  if (exchange_ != exchange) return;
  if (state_ == State::kClosed) return shared_->loop.Post(std::move(callback));
  if (state_ == State::kHandling || state_ == State::kStreaming) peer_gone_ = std::move(callback);
}

void ServerConnection::OnDropped(std::uint64_t exchange) {
  if (Current(exchange, State::kHandling)) {
    Respond(exchange, TextRefusal(500, "the request was not answered"));
  } else if (Current(exchange, State::kStreaming)) {
    const auto self = shared_from_this();
    Flush();
    Close();  // cut off: what was sent is not all
  }
}

// The answer is in the output; on to the next request.
void ServerConnection::FinishExchange() {
  const auto gone = std::move(peer_gone_);  // its captures go only after the state is right again
  peer_gone_ = nullptr;
  const auto sent = std::exchange(sent_, nullptr);
  state_ = State::kReading;
  ReleaseBody();
  if (!keep_alive_) close_when_flushed_ = true;
  read_deadline_.Set(shared_->options.idle_timeout);
  response_due_ = shared_->loop.Monotonic() + shared_->options.response_timeout;
  Wait();
  Flush();
}

void ServerConnection::PostFlush() {
  if (flush_posted_) return;
  flush_posted_ = true;
  shared_->loop.Post([weak = weak_from_this()] {
    if (const auto self = weak.lock()) {
      self->flush_posted_ = false;
      self->Flush();
    }
  });
}

void ServerConnection::Flush() {
  if (state_ == State::kClosed) return;
  bool progress = false;
  while (!output_.empty()) {
    const IoResult result = stream_.Write(output_.front());
    if (result.status == IoStatus::kWouldBlock) {
      if (progress || !output_blocked_) SetWriteDeadline();
      output_blocked_ = true;
      return stream_.WaitWritable();
    }
    if (result.status != IoStatus::kOk) return Close();
    output_.Consume(result.bytes);
    progress = true;
  }
  output_blocked_ = false;
  write_deadline_.Clear();
  AfterFlush();
}

void ServerConnection::SetWriteDeadline() {
  const Duration due = shared_->loop.Monotonic() + shared_->options.write_timeout;
  const bool has_end = state_ == State::kReading;  // a response; a stream has none
  write_deadline_.SetAt(has_end ? std::min(due, response_due_) : due);
}

void ServerConnection::AfterFlush() {
  if (state_ == State::kStreaming) return PostSent();
  if (state_ != State::kReading) return;
  if (close_when_flushed_) return StartDraining();
  Process();
}

void ServerConnection::StartDraining() {
  state_ = State::kDraining;
  input_.clear();
  stream_.ShutdownWrite();
  read_deadline_.Set(kDrainTime);
  stream_.WaitReadable();
}

void ServerConnection::OnWritable() {
  const auto self = shared_from_this();
  Flush();
}

void ServerConnection::OnReadDeadline() {
  const auto self = shared_from_this();
  if (state_ == State::kReading && parser_.started()) {
    Refuse(408, "the request took too long to arrive");
  } else if (state_ == State::kReading && !output_.empty()) {
    read_deadline_.Set(shared_->options.idle_timeout);  // it still reads; the write deadline rules
  } else if (state_ != State::kHandling && state_ != State::kStreaming) {
    Close();
  }
}

void ServerConnection::CloseGently() {
  const auto self = shared_from_this();
  closing_ = true;
  keep_alive_ = false;
  switch (state_) {
    case State::kHandshake: return Close();
    case State::kStreaming: return EndStream(exchange_);
    case State::kReading:
      if (!output_.empty()) {
        close_when_flushed_ = true;
      } else if (!parser_.started()) {
        Close();
      }
      return;
    default: return;
  }
}

void ServerConnection::Close() {
  if (state_ == State::kClosed) return;
  const auto self = shared_from_this();
  const bool unfinished = state_ == State::kHandling || state_ == State::kStreaming;
  state_ = State::kClosed;
  StopWaiting();
  ReleaseBody();
  read_deadline_.Stop();
  write_deadline_.Stop();
  stream_.Close();
  output_ = {};
  auto gone = std::move(peer_gone_);
  peer_gone_ = nullptr;
  const auto sent = std::exchange(sent_, nullptr);
  if (shared_->on_closed) shared_->on_closed(*this);
  if (unfinished && gone) gone();
  shared_->loop.Post([self] {});  // the caller may be one of its own members
}

}  // namespace basalt::net
