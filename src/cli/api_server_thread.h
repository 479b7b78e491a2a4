#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "net/tls.h"

namespace basalt::cli {

struct ApiServerThreadOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one
  net::CertificateAndKey certificate;
  std::string bearer_token;
};

// The embedded API server on a thread and a loop of its own, reached over HTTPS only, as any other
// API server is. Destroying it cuts all connections and ends the thread.
class ApiServerThread {
 public:
  // It listens when this returns.
  static Result<std::unique_ptr<ApiServerThread>> Start(const ApiServerThreadOptions& options);
  ~ApiServerThread();

  std::uint16_t port() const;

 private:
  struct Impl;
  explicit ApiServerThread(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::cli
