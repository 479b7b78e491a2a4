#pragma once

#include <string>

#include "base/error.h"

namespace basalt::net {

struct RsaKeyPair {
  std::string private_key;  // PEM, PKCS#1
  std::string public_key;   // as ssh has it in authorized_keys: "ssh-rsa AAAA…"
};

// A new key of 2048 bits. Takes some tens of milliseconds.
Result<RsaKeyPair> NewRsaKey();

}  // namespace basalt::net
