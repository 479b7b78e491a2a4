#include "webhook/authority.h"

#include <algorithm>
#include <utility>

namespace basalt::webhook {
namespace {

constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

}  // namespace

std::vector<std::string> SplitBundle(std::string_view pem) {
  std::vector<std::string> certificates;
  while (true) {
    const std::size_t begin = pem.find("-----BEGIN CERTIFICATE-----");
    const std::size_t end = pem.find(kEnd, begin == std::string_view::npos ? 0 : begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return certificates;
    const std::size_t size = end + kEnd.size();
    certificates.push_back(std::string(pem.substr(begin, size - begin)) + "\n");
    pem.remove_prefix(size);
  }
}

Result<Authority> MakeAuthority(Time now, Duration lifetime, std::string_view old_bundle) {
  auto made = net::MakeCertificateAuthority("basalt-webhook-ca", now, lifetime);
  if (!made) return std::unexpected(made.error());
  Authority authority{.newest = *made, .bundle_pem = made->certificate_pem};
  for (const std::string& old : SplitBundle(old_bundle)) {
    const auto info = net::ReadCertificate(old);
    if (info && info->not_after > now) authority.bundle_pem += old;
  }
  return authority;
}

Result<Authority> ReadAuthority(std::string bundle_pem, std::string key_pem) {
  const std::vector<std::string> certificates = SplitBundle(bundle_pem);
  if (certificates.empty()) return Fail(ErrorCode::kInvalid, "ca.crt: no certificate");
  for (const std::string& certificate : certificates) {
    if (const auto info = net::ReadCertificate(certificate); !info) {
      return std::unexpected(info.error().Wrap("ca.crt"));
    }
  }
  if (key_pem.empty()) return Fail(ErrorCode::kInvalid, "ca.key: missing");
  net::CertificateAndKey newest{certificates.front(), std::move(key_pem)};
  if (!net::BelongTogether(newest)) {
    return Fail(ErrorCode::kInvalid, "ca.key: is not the key of the first certificate of ca.crt");
  }
  return Authority{.newest = std::move(newest), .bundle_pem = std::move(bundle_pem)};
}

bool NeedsRenewal(std::string_view certificate_pem, Time now) {
  const auto info = net::ReadCertificate(certificate_pem);
  if (!info || now < info->not_before) return true;
  return info->not_after - now < (info->not_after - info->not_before) / 3;
}

Result<net::CertificateAndKey> MakeServerCertificate(const Authority& authority,
                                                     const std::vector<std::string>& dns_names,
                                                     const std::vector<std::string>& ip_addresses,
                                                     Time now, Duration lifetime) {
  const auto info = net::ReadCertificate(authority.newest.certificate_pem);
  if (!info) return std::unexpected(info.error());
  return net::MakeCertificate(authority.newest,
                              {.common_name = "basalt-webhook",
                               .organizations = {},
                               .dns_names = dns_names,
                               .ip_addresses = ip_addresses,
                               .now = now,
                               .lifetime = std::min(lifetime, info->not_after - now)});
}

}  // namespace basalt::webhook
