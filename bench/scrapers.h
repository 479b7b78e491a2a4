#pragma once

#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

namespace basalt::bench {

// Clients that ask for /metrics on loopback one time after the other, each time on a new
// connection, as long as they are on. Their own work gives way to everything else on the machine:
// what is measured is what it costs the server.
class Scrapers {
 public:
  Scrapers(int count, std::uint16_t port) : port_(port) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this](const std::stop_token& stop) { Run(stop); });
    }
  }

  void Switch(bool on) { on_ = on; }
  int scrapes() const { return scrapes_; }
  int failures() const { return failures_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void Run(const std::stop_token& stop) {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 19);
    while (!stop.stop_requested()) {
      if (!on_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else if (Scrape()) {
        ++scrapes_;
      } else {
        ++failures_;
      }
    }
  }

  bool Scrape() {
    constexpr std::string_view kRequest =
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return false;
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool ok = connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
              send(fd, kRequest.data(), kRequest.size(), MSG_NOSIGNAL) ==
                  static_cast<ssize_t>(kRequest.size());
    char buffer[1 << 16];
    std::uint64_t total = 0;
    while (ok) {
      const ssize_t got = recv(fd, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      total += static_cast<std::uint64_t>(got);
    }
    close(fd);
    bytes_ += total;
    return total > 0;
  }

  const std::uint16_t port_;
  std::atomic<bool> on_ = false;
  std::atomic<int> scrapes_ = 0;
  std::atomic<int> failures_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::vector<std::jthread> threads_;
};

// A port of loopback that nobody listens on.
inline std::uint16_t FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool ok = bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(fd);
  return ok ? ntohs(address.sin_port) : 0;
}

}  // namespace basalt::bench
