#pragma once

#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace basalt::kube {

// The bearer token to send. One from a file is read again every ten seconds, since the kubelet
// replaces it before it expires; while the file cannot be read the last one is used. Owned by an
// HttpApiClient; loop thread only.
class TokenSource {
 public:
  // Both empty: no token.
  TokenSource(const Clock& clock, std::string token, std::string token_file);

  // Empty: none. Fails only when the file never could be read and there is no other.
  Result<std::string_view> Get();
  // The server did not accept it: the file is read before the next use.
  void Expire() { read_ = false; }

 private:
  const Clock& clock_;
  std::string token_;
  std::string file_;
  bool read_ = false;
  Duration read_at_{0};
};

}  // namespace basalt::kube
