#include "net/certificates.h"

#include <openssl/rand.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "net/tls.h"
#include "net/url.h"

namespace basalt::net {

Result<ServingCertificate> MakeServingCertificate(const std::string& common_name,
                                                  const std::vector<std::string>& hosts, Time now,
                                                  Duration lifetime) {
  const auto authority = MakeCertificateAuthority(common_name + " CA", now, lifetime);
  if (!authority) return std::unexpected(authority.error());
  CertificateRequest request{.common_name = common_name, .now = now, .lifetime = lifetime};
  for (const std::string& host : hosts) {
    (IsIpAddress(host) ? request.ip_addresses : request.dns_names).push_back(host);
  }
  auto server = MakeCertificate(*authority, request);
  if (!server) return std::unexpected(server.error());
  return ServingCertificate{authority->certificate_pem, std::move(server->certificate_pem),
                            std::move(server->key_pem)};
}

std::string RandomToken() {
  std::array<unsigned char, 32> bytes{};
  BASALT_CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kHex[byte >> 4];
    token += kHex[byte & 15];
  }
  return token;
}

}  // namespace basalt::net
