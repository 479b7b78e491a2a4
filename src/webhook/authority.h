#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "net/tls.h"

// The webhook's own certificate authority: pure rules, time is passed in.
namespace basalt::webhook {

// What the replicas share. `bundle_pem` starts with the newest authority's certificate and goes on
// with older ones that have not ended: a replica that still shows a certificate of an older one is
// believed too.
struct Authority {
  net::CertificateAndKey newest;
  std::string bundle_pem;
};

// A new authority; `old_bundle` is what was trusted before.
Result<Authority> MakeAuthority(Time now, Duration lifetime, std::string_view old_bundle = {});
// Refuses certificates that are broken, and a key that is missing or not the newest authority's.
Result<Authority> ReadAuthority(std::string bundle_pem, std::string key_pem);

// Less than a third of its time is left, it has not begun, or it is unreadable.
bool NeedsRenewal(std::string_view certificate_pem, Time now);

// A server's certificate, which ends no later than the authority.
Result<net::CertificateAndKey> MakeServerCertificate(const Authority& authority,
                                                     const std::vector<std::string>& dns_names,
                                                     const std::vector<std::string>& ip_addresses,
                                                     Time now, Duration lifetime);

// The certificates of a bundle, one by one.
std::vector<std::string> SplitBundle(std::string_view pem);

}  // namespace basalt::webhook
