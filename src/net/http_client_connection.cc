#include "net/http_client_connection.h"

#include <fmt/core.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <utility>

#include "base/check.h"
#include "net/http_text.h"

namespace basalt::net {
namespace {

using boost::asio::ip::tcp;

constexpr std::size_t kResponseReadSize = 64 * 1024;
// A body up to this size is copied behind its head and leaves with it.
constexpr std::size_t kJoinedBody = 16 * 1024;

}  // namespace

ClientConnection::ClientConnection(std::shared_ptr<ClientShared> shared,
                                   ClientConnectionOwner* owner)
    : shared_(std::move(shared)),
      owner_(owner),
      resolver_(shared_->loop.context()),
      socket_(shared_->loop.context()),
      parser_({.body_bytes = shared_->options.max_response_bytes}),
      deadline_(shared_->loop, [this] { OnDeadline(); }) {}

ClientConnection::~ClientConnection() = default;

Error ClientConnection::ConnectionError(std::string_view doing) const {
  const Url& origin = shared_->origin;
  Error error{.code = ErrorCode::kUnavailable,
              .message = fmt::format("{} {}: {}", doing, origin.Authority(), stream_->error())};
  if (stream_->certificate_refused()) {
    error.code =
        state_ == State::kHandshake ? ErrorCode::kInvalidArgument : ErrorCode::kUnauthorized;
  }
  return error;
}

void ClientConnection::Connect(Duration timeout) {
  deadline_.Set(timeout);
  const Url& origin = shared_->origin;
  boost::system::error_code not_an_address;
  const auto address = boost::asio::ip::make_address(origin.host, not_an_address);
  if (!not_an_address) return ConnectTo(std::array{tcp::endpoint(address, origin.port)});
  resolver_.async_resolve(
      origin.host, fmt::format("{}", origin.port),
      [self = shared_from_this()](boost::system::error_code error,
                                  const tcp::resolver::results_type& results) {
        if (self->state_ == State::kClosed) return;
        if (error) {
          return self->Break({.code = ErrorCode::kUnavailable,
                              .message = fmt::format("looking up {}: {}",
                                                     self->shared_->origin.host, error.message())});
        }
        self->ConnectTo(results);
      });
}

template <class Endpoints>
void ClientConnection::ConnectTo(const Endpoints& endpoints) {
  boost::asio::async_connect(
      socket_, endpoints,
      [self = shared_from_this()](boost::system::error_code error, const tcp::endpoint&) {
        self->OnConnected(error);
      });
}

void ClientConnection::OnConnected(boost::system::error_code error) {
  if (state_ == State::kClosed) return;
  if (error) {
    return Break({.code = ErrorCode::kUnavailable,
                  .message = fmt::format("connecting to {}: {}", shared_->origin.Authority(),
                                         error.message())});
  }
  ++shared_->connections_made;
  SslPtr ssl;
  if (shared_->tls != nullptr) {
    const std::string& name = shared_->options.tls.server_name;
    ssl = NewClientSsl(shared_->tls.get(), name.empty() ? shared_->origin.host : name,
                       &shared_->session);
    if (ssl == nullptr) {
      return Break({.code = ErrorCode::kInternal, .message = "TLS: no connection could be set up"});
    }
  }
  stream_.emplace(std::move(socket_), std::move(ssl), *this);
  state_ = State::kHandshake;
  ContinueHandshake();
}

void ClientConnection::ContinueHandshake() {
  switch (stream_->Handshake()) {
    case IoStatus::kOk:
      state_ = State::kIdle;
      connected_ = true;
      if (stream_->resumed()) ++shared_->sessions_resumed;
      deadline_.Set(shared_->options.idle_timeout);
      stream_->WaitReadable();
      return owner_->OnReady(*this);
    case IoStatus::kWouldBlock: return stream_->WaitReadable();
    default: return Break(ConnectionError("connecting to"));
  }
}

void ClientConnection::Start(std::unique_ptr<ClientCall> call) {
  BASALT_CHECK(state_ == State::kIdle);
  state_ = State::kBusy;
  call_ = std::move(call);
  deadline_.SetAt(call_->deadline);

  const HttpRequest& request = call_->request;
  head_.clear();
  head_.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
  AppendHeader(head_, "Host", shared_->origin.Authority());
  for (const Header& header : request.headers) AppendHeader(head_, header.name, header.value);
  const bool has_body = !request.body.empty() || request.method == "POST" ||
                        request.method == "PUT" || request.method == "PATCH";
  if (has_body) head_ += fmt::format("Content-Length: {}\r\n", request.body.size());
  head_ += "\r\n";
  body_apart_ = request.body.size() > kJoinedBody;
  if (!body_apart_) head_ += request.body;
  written_ = 0;
  write_done_ = false;
  parser_.Reset(request.method == "HEAD", call_->observer == nullptr ? nullptr : this);
  stream_->WaitReadable();
  WriteRequest();
}

void ClientConnection::WriteRequest() {
  const std::string_view body = body_apart_ ? std::string_view(call_->request.body) : "";
  while (written_ < head_.size() + body.size()) {
    const std::string_view rest = written_ < head_.size() ? std::string_view(head_).substr(written_)
                                                          : body.substr(written_ - head_.size());
    const IoResult result = stream_->Write(rest);
    if (result.status == IoStatus::kWouldBlock) return stream_->WaitWritable();
    // The server may have answered before it closed (a body too large, say): reading finds it, or
    // finds the error again.
    if (result.status != IoStatus::kOk) return;
    written_ += result.bytes;
  }
  write_done_ = true;
}

void ClientConnection::OnWritable() {
  if (state_ == State::kBusy && !write_done_) WriteRequest();
}

void ClientConnection::OnReadable() {
  const auto self = shared_from_this();
  switch (state_) {
    case State::kHandshake: return ContinueHandshake();
    case State::kIdle: return ReadWhileIdle();
    case State::kBusy: return ReadResponse();
    default: return;
  }
}

bool ClientConnection::IsAlive() {
  char byte;
  return stream_->Read(&byte, 1).status == IoStatus::kWouldBlock;
}

// The server closes the connection, or TLS has something to say to itself.
void ClientConnection::ReadWhileIdle() {
  if (IsAlive()) return stream_->WaitReadable();
  Break({.code = ErrorCode::kUnavailable, .message = "closed while idle"});
}

void ClientConnection::ReadResponse() {
  while (true) {
    // One buffer for all connections: there may be many, and few of them read at a time.
    std::string& buffer = shared_->read_buffer;
    buffer.resize(kResponseReadSize);
    const IoResult read = stream_->Read(buffer.data(), buffer.size());
    if (read.status == IoStatus::kWouldBlock) return stream_->WaitReadable();
    if (read.status != IoStatus::kOk) return OnStreamEnded(read.status);
    std::string_view unparsed(buffer.data(), read.bytes);
    if (!input_.empty()) unparsed = input_.append(unparsed);
    const ParseResult parsed = parser_.Feed(unparsed);
    if (state_ != State::kBusy) return;  // the observer let go of it
    std::string(unparsed.substr(parsed.consumed)).swap(input_);
    switch (parsed.state) {
      case ParseState::kNeedMore: break;
      case ParseState::kDone:
        return Complete(parser_.keep_alive() && write_done_ && input_.empty());
      case ParseState::kBodyTooLarge:
        return Break({.code = ErrorCode::kTooLarge,
                      .message = fmt::format("the response of {} is larger than {} bytes",
                                             shared_->origin.Authority(),
                                             shared_->options.max_response_bytes)});
      default:
        return Break({.code = ErrorCode::kInternal,
                      .message = fmt::format("{} does not answer in HTTP/1.1: {}",
                                             shared_->origin.Authority(), parser_.problem())});
    }
    // A large response must not keep the loop from everything else.
    if (!stream_->HasBuffered()) return stream_->WaitReadable();
  }
}

void ClientConnection::OnStreamEnded(IoStatus status) {
  if (status == IoStatus::kClosed && stream_->ended_cleanly() && parser_.FeedEnd()) {
    return Complete(false);
  }
  Break(ConnectionError(parser_.started() ? "the answer was cut off by" : "no answer from"));
}

void ClientConnection::OnHead(int status, Headers headers) {
  deadline_.Clear();  // it was for the start
  if (call_->observer != nullptr) call_->observer->OnHead(status, headers);
}

void ClientConnection::OnBody(std::string_view piece) {
  if (call_ != nullptr && call_->observer != nullptr) call_->observer->OnData(piece);
}

void ClientConnection::Complete(bool reusable) {
  auto call = std::move(call_);
  ++calls_done_;
  HttpResponse response = parser_.TakeResponse();
  if (reusable) {
    state_ = State::kIdle;
    std::string().swap(head_);  // it may be long until the next one
    deadline_.Set(shared_->options.idle_timeout);
    stream_->WaitReadable();
  } else {
    state_ = State::kClosed;
    deadline_.Stop();
    stream_->Close();
  }
  owner_->OnResponse(*this, std::move(call), std::move(response), reusable);
}

void ClientConnection::CloseSocket() {
  resolver_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (stream_) stream_->Close();
}

void ClientConnection::Break(Error error) {
  if (state_ == State::kClosed) return;
  const auto self = shared_from_this();
  error.unsent = call_ == nullptr || written_ == 0;
  const bool untouched = calls_done_ > 0 && !parser_.started();
  state_ = State::kClosed;
  deadline_.Stop();
  CloseSocket();
  shared_->loop.Post([self] {});  // the caller may be one of its own members
  if (auto* owner = std::exchange(owner_, nullptr)) {
    owner->OnBroken(*this, std::move(call_), std::move(error), untouched);
  }
}

void ClientConnection::OnDeadline() {
  switch (state_) {
    case State::kIdle: return Break({.code = ErrorCode::kUnavailable, .message = "idle"});
    case State::kBusy:
      return Break(
          {.code = ErrorCode::kTimeout,
           .message = fmt::format("no answer from {} in time", shared_->origin.Authority())});
    case State::kConnecting:
    case State::kHandshake:
      return Break(
          {.code = ErrorCode::kUnavailable,
           .message = fmt::format("connecting to {} took too long", shared_->origin.Authority())});
    case State::kClosed: return;
  }
}

void ClientConnection::Abandon() {
  owner_ = nullptr;
  if (call_ != nullptr) call_->observer = nullptr;
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  deadline_.Stop();
  CloseSocket();
  shared_->loop.Post([self = shared_from_this()] {});
}

}  // namespace basalt::net
