#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace basalt::net {

// A CA made on the spot, and one server certificate that it signed. All PEM. The CA's key is not
// kept: nothing else can ever be signed by it.
struct ServingCertificate {
  std::string ca_certificate;
  std::string certificate;
  std::string private_key;
};

// For `hosts` (DNS names and IP addresses), valid from an hour before `now` (clocks differ).
Result<ServingCertificate> MakeServingCertificate(const std::string& common_name,
                                                  const std::vector<std::string>& hosts, Time now,
                                                  Duration lifetime = 24h * 365);

// Unguessable: 256 bits from the system, in hex.
std::string RandomToken();

}  // namespace basalt::net
