#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/asio_loop.h"

namespace basalt::net {

// A server for tests that speaks whatever bytes the test wants, to see how a client takes them.
class RawPeer {
 public:
  using tcp = boost::asio::ip::tcp;

  class Connection : public std::enable_shared_from_this<Connection> {
   public:
    Connection(RawPeer& peer, tcp::socket socket) : peer_(peer), socket_(std::move(socket)) {}
    void Send(const std::string& text) { boost::asio::write(socket_, boost::asio::buffer(text)); }
    void Close() {
      boost::system::error_code ignored;
      socket_.shutdown(tcp::socket::shutdown_both, ignored);
      socket_.close(ignored);
    }
    void Read() {
      socket_.async_read_some(
          boost::asio::buffer(buffer_),
          [self = shared_from_this()](boost::system::error_code error, std::size_t) {
            if (error) return;
            self->peer_.on_request(*self, ++self->requests_);
            if (self->socket_.is_open()) self->Read();
          });
    }

   private:
    RawPeer& peer_;
    tcp::socket socket_;
    char buffer_[64 * 1024];
    int requests_ = 0;
  };

  explicit RawPeer(AsioLoop& loop)
      : acceptor_(loop.context(), tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)) {
    Accept();
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  // For each piece that arrives, with its number on that connection, from 1.
  std::function<void(Connection&, int)> on_request;

 private:
  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return;
      std::make_shared<Connection>(*this, std::move(socket))->Read();
      Accept();
    });
  }

  tcp::acceptor acceptor_;
};

}  // namespace basalt::net
