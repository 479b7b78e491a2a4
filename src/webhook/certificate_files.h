#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "base/loop.h"
#include "net/tls.h"

namespace basalt::webhook {

// A certificate and its key in files that another program renews: read again every second, told of
// when they have changed. Owned by the Webhook; loop thread only.
class CertificateFiles {
 public:
  // True: it could be used. Otherwise it is told of again, since a pair may be half written.
  using OnChange = std::function<bool(const net::CertificateAndKey&)>;

  CertificateFiles(Loop& loop, std::string certificate_file, std::string key_file,
                   OnChange on_change);

  Result<net::CertificateAndKey> Read() const;
  // Tells of changes from `known` on.
  void Follow(const net::CertificateAndKey& known);

 private:
  void Look();

  std::string certificate_file_;
  std::string key_file_;
  OnChange on_change_;
  net::CertificateAndKey known_;
  Timer timer_;
};

}  // namespace basalt::webhook
