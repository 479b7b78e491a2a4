#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "apiserver/storage/data_folder.h"
#include "base/error.h"
#include "net/tls.h"

namespace basalt::cli {

struct ApiServerThreadOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;            // 0: a free one
  std::uint16_t preferred_port = 0;  // with port 0: this one where it is free
  net::CertificateAndKey certificate;
  std::string bearer_token;
  // Where the cluster is kept; nullptr: nowhere.
  std::unique_ptr<apiserver::DataFolder> folder;
  // Called on the server's thread when it can no longer be kept: nothing is answered any more.
  std::function<void(const Error&)> failed;
};

// The embedded API server on a thread and a loop of its own, reached over HTTPS only, as any other
// API server is. Owned by `up`, whose thread makes and destroys it; destroying it cuts all
// connections and ends the thread.
class ApiServerThread {
 public:
  // It listens when this returns.
  static Result<std::unique_ptr<ApiServerThread>> Start(ApiServerThreadOptions options);
  ~ApiServerThread();

  std::uint16_t port() const;
  // It goes on from what its folder held.
  bool restored() const;

 private:
  struct Impl;
  explicit ApiServerThread(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::cli
