#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "net/net_test_util.h"

namespace basalt::net {

inline constexpr std::string_view kPlainGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

class HttpServerTest : public NetTest {
 protected:
  using tcp = boost::asio::ip::tcp;

  // A client that says exactly what the test wants it to.
  struct RawClient {
    RawClient(AsioLoop& loop, std::uint16_t port) : socket(loop.context()) {
      socket.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port));
      socket.non_blocking(true);
    }
    void Send(std::string_view what) { socket.send(boost::asio::buffer(what.data(), what.size())); }
    void Poll() {
      char buffer[64 * 1024];
      boost::system::error_code error;
      while (true) {
        const std::size_t got = socket.read_some(boost::asio::buffer(buffer), error);
        if (error == boost::asio::error::would_block) return;
        if (error) {
          ended = true;
          return;
        }
        text.append(buffer, got);
      }
    }
    tcp::socket socket;
    std::string text;
    bool ended = false;
  };

  void Await(RawClient& raw, const std::function<bool()>& done) {
    RunUntil([&] {
      raw.Poll();
      return done();
    });
  }
  // Everything that is answered until the server closes.
  std::string Talk(std::string_view text) {
    RawClient raw(loop, server->port());
    raw.Send(text);
    Await(raw, [&] { return raw.ended; });
    return raw.text;
  }
};

}  // namespace basalt::net
