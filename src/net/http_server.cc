#include "net/http_server.h"

#include <fmt/core.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

#include "base/log.h"
#include "net/http_server_connection.h"
#include "net/tls_context.h"

namespace basalt::net {

using boost::asio::ip::tcp;

class HttpServer::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(AsioLoop& loop, HttpServerOptions options, HttpHandler handler)
      : acceptor_(loop.context()),
        again_(loop),
        grace_(loop),
        shared_(std::make_shared<ServerShared>(loop, std::move(options), std::move(handler))) {
    shared_->on_closed = [this](ServerConnection& connection) { Forget(connection); };
    shared_->on_waiting = [this] { AcceptSoon(); };
  }

  Result<void> Listen();
  Result<void> UseCertificate(const CertificateAndKey& identity);
  void Accept();
  void Shutdown(Duration grace, Callback done);
  void Stop();

  std::uint16_t port() const { return port_; }
  int connections() const { return static_cast<int>(connections_.size()); }

 private:
  void OnAccepted(boost::system::error_code error, tcp::socket socket);
  void Admit(tcp::socket socket);
  void AcceptSoon();
  void Forget(ServerConnection& connection);
  bool full() const { return connections() >= shared_->options.max_connections; }

  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  ContextPtr tls_;
  boost::unordered_flat_map<ServerConnection*, std::shared_ptr<ServerConnection>> connections_;
  bool accepting_ = false;
  std::optional<tcp::socket> held_;  // accepted, while there was no place for it
  bool stopping_ = false;
  Callback done_;
  std::optional<Duration> complained_at_;
  Timer again_;
  Timer grace_;
  std::shared_ptr<ServerShared> shared_;
};

Result<void> HttpServer::Impl::Listen() {
  const HttpServerOptions& options = shared_->options;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(options.address, error);
  if (error) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is not an IP address to listen on", options.address));
  }
  const tcp::endpoint endpoint(address, options.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) {
    return Fail(ErrorCode::kUnavailable, fmt::format("listening on {} port {}: {}", options.address,
                                                     options.port, error.message()));
  }
  port_ = acceptor_.local_endpoint().port();
  return {};
}

Result<void> HttpServer::Impl::UseCertificate(const CertificateAndKey& identity) {
  Result<ContextPtr> context = MakeServerContext(identity, shared_->options.client_ca_pem);
  if (!context) return std::unexpected(context.error().Wrap("serving certificate"));
  tls_ = std::move(*context);
  return {};
}

void HttpServer::Impl::Accept() {
  if (accepting_ || stopping_ || (full() && shared_->waiting.empty())) return;
  if (held_) Admit(*std::exchange(held_, std::nullopt));
  if (accepting_ || stopping_ || (full() && shared_->waiting.empty())) return;
  accepting_ = true;
  acceptor_.async_accept(
      [weak = weak_from_this()](boost::system::error_code error, tcp::socket socket) {
        if (const auto self = weak.lock()) self->OnAccepted(error, std::move(socket));
      });
}

// Not from within a connection, which may be about to send its answer, or in a handler.
void HttpServer::Impl::AcceptSoon() {
  shared_->loop.Post([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Accept();
  });
}

void HttpServer::Impl::OnAccepted(boost::system::error_code error, tcp::socket socket) {
  accepting_ = false;
  if (stopping_) return;
  if (error) {  // out of file descriptors, most likely: wait for some to come back
    const Duration now = shared_->loop.Monotonic();
    if (!complained_at_ || now - *complained_at_ >= 1min) {
      complained_at_ = now;
      log::Warning("connections cannot be accepted", {{"port", port_}, {"error", error.message()}});
    }
    return again_.Start(100ms, [this] { Accept(); });
  }
  if (full() && shared_->waiting.empty()) {
    held_.emplace(std::move(socket));
    return;
  }
  Admit(std::move(socket));
  Accept();
}

void HttpServer::Impl::Admit(tcp::socket socket) {
  if (full()) {
    const auto longest = shared_->waiting.front().shared_from_this();
    longest->Close();
  }
  SslPtr ssl;
  if (tls_ != nullptr) {
    ssl = NewServerSsl(tls_.get());
    if (ssl == nullptr) return;  // never in plain text instead
  }
  auto connection = std::make_shared<ServerConnection>(shared_, std::move(socket), std::move(ssl));
  connections_.emplace(connection.get(), connection);
  connection->Start();
}

void HttpServer::Impl::Forget(ServerConnection& connection) {
  connections_.erase(&connection);
  if (stopping_ && connections_.empty() && done_) {
    grace_.Stop();
    shared_->loop.Post(std::exchange(done_, nullptr));
  }
  AcceptSoon();
}

void HttpServer::Impl::Shutdown(Duration grace, Callback done) {
  stopping_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  held_.reset();
  if (connections_.empty()) return shared_->loop.Post(std::move(done));
  done_ = std::move(done);
  std::vector<std::shared_ptr<ServerConnection>> all;
  for (const auto& [key, connection] : connections_) all.push_back(connection);
  for (const auto& connection : all) connection->CloseGently();
  if (!connections_.empty()) {
    grace_.Start(grace, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) {
        while (!self->connections_.empty()) {
          const auto connection = self->connections_.begin()->second;
          connection->Close();
        }
      }
    });
  }
}

void HttpServer::Impl::Stop() {
  stopping_ = true;
  done_ = nullptr;
  again_.Stop();
  grace_.Stop();
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  held_.reset();
  shared_->on_closed = nullptr;
  shared_->on_waiting = nullptr;
  for (const auto& [key, connection] : std::exchange(connections_, {})) connection->Close();
}

HttpServer::HttpServer(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() { impl_->Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Create(AsioLoop& loop, HttpServerOptions options,
                                                       HttpHandler handler) {
  const std::optional<CertificateAndKey> identity = options.tls;
  auto impl = std::make_shared<Impl>(loop, std::move(options), std::move(handler));
  if (identity) {
    if (auto used = impl->UseCertificate(*identity); !used) return std::unexpected(used.error());
  }
  if (auto listening = impl->Listen(); !listening) return std::unexpected(listening.error());
  impl->Accept();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }
int HttpServer::connections() const { return impl_->connections(); }
Result<void> HttpServer::ReplaceCertificate(const CertificateAndKey& identity) {
  return impl_->UseCertificate(identity);
}
void HttpServer::Shutdown(Duration grace, Callback done) {
  impl_->Shutdown(grace, std::move(done));
}

}  // namespace basalt::net
