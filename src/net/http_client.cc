#include "net/http_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <utility>
#include <vector>

#include "net/http_client_connection.h"
#include "net/lazy_deadline.h"

namespace basalt::net {
namespace {

// A connection that was used this recently is taken without asking whether it is still there.
constexpr Duration kFresh = 50ms;

bool IsSafe(const HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

// A streamed response, with the connection to itself.
class StreamCall final : public HttpStream, public ClientConnectionOwner {
 public:
  StreamCall(std::shared_ptr<ClientShared> shared, HttpRequest request, Duration timeout,
             HttpStreamObserver& observer)
      : observer_(observer), call_(std::make_unique<ClientCall>()) {
    call_->request = std::move(request);
    call_->deadline = shared->loop.Monotonic() + timeout;
    call_->observer = &observer;
    connection_ = std::make_shared<ClientConnection>(shared, this);
    connection_->Connect(std::min(timeout, shared->options.connect_timeout));
  }
  ~StreamCall() override { connection_->Abandon(); }

  void OnReady(ClientConnection& connection) override { connection.Start(std::move(call_)); }
  void OnResponse(ClientConnection&, std::unique_ptr<ClientCall>, HttpResponse, bool) override {
    observer_.OnEnd({.code = ErrorCode::kCancelled});  // may destroy this
  }
  void OnBroken(ClientConnection&, std::unique_ptr<ClientCall>, Error error, bool) override {
    observer_.OnEnd(error);  // may destroy this
  }

 private:
  HttpStreamObserver& observer_;
  std::unique_ptr<ClientCall> call_;
  std::shared_ptr<ClientConnection> connection_;
};

}  // namespace

class HttpClient::Pool final : public ClientConnectionOwner,
                               public std::enable_shared_from_this<Pool> {
 public:
  Pool(AsioLoop& loop, Url origin, HttpClientOptions options, ContextPtr tls)
      : shared_(std::make_shared<ClientShared>(loop, std::move(origin), std::move(options),
                                               std::move(tls))),
        queue_deadline_(loop, [this] { ExpireQueue(); }) {}

  void Send(HttpRequest request, Duration timeout, HttpResponseHandler handler);
  void Stop();
  const std::shared_ptr<ClientShared>& shared() const { return shared_; }
  int connections() const { return static_cast<int>(connections_.size()); }

  void OnReady(ClientConnection& connection) override;
  void OnResponse(ClientConnection& connection, std::unique_ptr<ClientCall> call,
                  HttpResponse response, bool reusable) override;
  void OnBroken(ClientConnection& connection, std::unique_ptr<ClientCall> call, Error error,
                bool untouched) override;

 private:
  struct Idle {
    ClientConnection* connection;
    Duration since;
  };

  void Pump();
  void OpenAsNeeded();
  void Forget(ClientConnection& connection);
  void ExpireQueue();
  void FailAll(std::vector<std::unique_ptr<ClientCall>> calls, const Error& error);

  std::shared_ptr<ClientShared> shared_;
  boost::unordered_flat_map<ClientConnection*, std::shared_ptr<ClientConnection>> connections_;
  std::vector<Idle> idle_;  // the last used is taken first, so that spare ones get old and go
  int connecting_ = 0;
  std::deque<std::unique_ptr<ClientCall>> queue_;
  bool stopped_ = false;
  LazyDeadline queue_deadline_;
};

void HttpClient::Pool::Send(HttpRequest request, Duration timeout, HttpResponseHandler handler) {
  auto call = std::make_unique<ClientCall>();
  call->request = std::move(request);
  call->deadline = shared_->loop.Monotonic() + timeout;
  call->handler = std::move(handler);
  const Duration deadline = call->deadline;
  queue_.push_back(std::move(call));
  Pump();
  if (!queue_.empty()) queue_deadline_.SetAtLatest(deadline);
}

void HttpClient::Pool::Pump() {
  while (!queue_.empty() && !idle_.empty()) {
    const Idle idle = idle_.back();
    idle_.pop_back();
    if (shared_->loop.Monotonic() - idle.since > kFresh && !idle.connection->IsAlive()) {
      idle.connection->Abandon();
      connections_.erase(idle.connection);
      continue;
    }
    auto call = std::move(queue_.front());
    queue_.pop_front();
    idle.connection->Start(std::move(call));
  }
  OpenAsNeeded();
  if (queue_.empty()) queue_deadline_.Clear();
}

void HttpClient::Pool::OpenAsNeeded() {
  while (connecting_ < std::ssize(queue_) && connections() < shared_->options.max_connections) {
    auto connection = std::make_shared<ClientConnection>(shared_, this);
    connections_.emplace(connection.get(), connection);
    ++connecting_;
    connection->Connect(shared_->options.connect_timeout);
  }
}

void HttpClient::Pool::Forget(ClientConnection& connection) {
  std::erase_if(idle_, [&](const Idle& idle) { return idle.connection == &connection; });
  connections_.erase(&connection);
}

void HttpClient::Pool::OnReady(ClientConnection& connection) {
  --connecting_;
  idle_.push_back({&connection, shared_->loop.Monotonic()});
  Pump();
}

void HttpClient::Pool::OnResponse(ClientConnection& connection, std::unique_ptr<ClientCall> call,
                                  HttpResponse response, bool reusable) {
  const auto self = shared_from_this();
  if (reusable) {
    idle_.push_back({&connection, shared_->loop.Monotonic()});
  } else {
    Forget(connection);
  }
  Pump();  // first, so that the next request is on its way while this one's owner works
  call->handler(std::move(response));
}

void HttpClient::Pool::OnBroken(ClientConnection& connection, std::unique_ptr<ClientCall> call,
                                Error error, bool untouched) {
  const auto self = shared_from_this();
  Forget(connection);
  if (call == nullptr) {
    if (!connection.connected()) {
      --connecting_;
      // No connection is left to serve the queue: all calls learn at once that the server is away.
      if (connections() == connecting_) {
        std::vector<std::unique_ptr<ClientCall>> calls(std::make_move_iterator(queue_.begin()),
                                                       std::make_move_iterator(queue_.end()));
        queue_.clear();
        return FailAll(std::move(calls), error);
      }
    }
    return Pump();
  }
  const bool again = error.code == ErrorCode::kUnavailable && !call->sent_again &&
                     (error.unsent || (untouched && IsSafe(call->request)));
  if (again) {
    call->sent_again = true;
    queue_deadline_.SetAtLatest(call->deadline);
    queue_.push_front(std::move(call));
    return Pump();
  }
  Pump();
  call->handler(std::unexpected(std::move(error)));
}

void HttpClient::Pool::ExpireQueue() {
  const auto self = shared_from_this();
  const Duration now = shared_->loop.Monotonic();
  std::vector<std::unique_ptr<ClientCall>> late;
  std::deque<std::unique_ptr<ClientCall>> rest;
  Duration next = Duration::max();
  for (auto& call : queue_) {
    if (call->deadline <= now) {
      late.push_back(std::move(call));
    } else {
      next = std::min(next, call->deadline);
      rest.push_back(std::move(call));
    }
  }
  queue_ = std::move(rest);
  if (!queue_.empty()) queue_deadline_.SetAt(next);
  FailAll(std::move(late), {.code = ErrorCode::kTimeout,
                            .message = fmt::format("no connection to {} was free in time",
                                                   shared_->origin.Authority()),
                            .unsent = true});
}

void HttpClient::Pool::FailAll(std::vector<std::unique_ptr<ClientCall>> calls, const Error& error) {
  for (auto& call : calls) {
    if (stopped_) return;  // by the handler before
    call->handler(std::unexpected(error));
  }
}

void HttpClient::Pool::Stop() {
  stopped_ = true;
  queue_.clear();
  queue_deadline_.Stop();
  idle_.clear();
  for (const auto& [key, connection] : std::exchange(connections_, {})) connection->Abandon();
}

HttpClient::HttpClient(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}
HttpClient::~HttpClient() {
  pool_->Stop();
  // A handler of one of its own calls may be what destroys it.
  pool_->shared()->loop.Post([pool = pool_] {});
}

Result<std::unique_ptr<HttpClient>> HttpClient::Create(AsioLoop& loop, Url origin,
                                                       HttpClientOptions options) {
  ContextPtr tls;
  if (origin.tls) {
    Result<ContextPtr> made = MakeClientContext(options.tls);
    if (!made) return std::unexpected(made.error().Wrap(origin.Authority()));
    tls = std::move(*made);
    const std::string& name =
        options.tls.server_name.empty() ? origin.host : options.tls.server_name;
    if (NewClientSsl(tls.get(), name, nullptr) == nullptr) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: no certificate can be for a server of the name '{}'",
                              origin.Authority(), name.substr(0, name.find('\0'))));
    }
  }
  return std::unique_ptr<HttpClient>(new HttpClient(
      std::make_shared<Pool>(loop, std::move(origin), std::move(options), std::move(tls))));
}

void HttpClient::Send(HttpRequest request, Duration timeout, HttpResponseHandler handler) {
  pool_->Send(std::move(request), timeout, std::move(handler));
}

std::unique_ptr<HttpStream> HttpClient::Stream(HttpRequest request, Duration timeout,
                                               HttpStreamObserver& observer) {
  return std::make_unique<StreamCall>(pool_->shared(), std::move(request), timeout, observer);
}

const Url& HttpClient::origin() const { return pool_->shared()->origin; }
int HttpClient::connections() const { return pool_->connections(); }
int HttpClient::sessions_resumed() const { return pool_->shared()->sessions_resumed; }
int HttpClient::connections_made() const { return pool_->shared()->connections_made; }

}  // namespace basalt::net
