#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

// Certificates as text (PEM): what TLS takes, and tools that make and read them. Functions are pure
// but for the randomness of keys and serial numbers.
namespace basalt::net {

struct CertificateAndKey {
  std::string certificate_pem;
  std::string key_pem;
};

// How a client proves its identity, and which servers it trusts.
struct TlsClientOptions {
  std::string ca_pem;           // one or more; empty: those of the system
  std::string certificate_pem;  // client certificate and key; empty: none
  std::string key_pem;
  std::string server_name;  // to verify and to ask for; empty: the host of the URL
  bool insecure_skip_verify = false;
};

struct CertificateRequest {
  std::string common_name;
  std::vector<std::string> organizations;  // Kubernetes reads groups from these
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
  Time now;  // it is valid from an hour earlier, for clocks that lag
  Duration lifetime = 24h * 365;
  bool for_client = false;  // good for a client, too
};

// Keys are ECDSA P-256. An authority signs certificates, not other authorities.
Result<CertificateAndKey> MakeCertificateAuthority(std::string_view common_name, Time now,
                                                   Duration lifetime);
// Signed by `authority`, good for a server.
Result<CertificateAndKey> MakeCertificate(const CertificateAndKey& authority,
                                          const CertificateRequest& request);

struct CertificateInfo {
  std::string subject;  // "O = basalt, CN = server"
  Time not_before;
  Time not_after;
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
};
// Of the first certificate in `pem`.
Result<CertificateInfo> ReadCertificate(std::string_view pem);

// False also for what is no certificate or no key.
bool BelongTogether(const CertificateAndKey& pair);

}  // namespace basalt::net
