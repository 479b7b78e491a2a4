#include "cli/up_identity.h"

#include <cstdlib>

#include "net/random_token.h"

namespace basalt::cli {
namespace {

constexpr Duration kAuthorityLifetime = 24h * 3650;
constexpr Duration kLeastLeft = 24h * 400;  // longer than the certificates that it signs

// A setting of the folder, by `make` where it is missing.
template <class Make>
Result<std::string> Remembered(apiserver::DataFolder& folder, std::string_view name, Make make) {
  Result<std::string> value = folder.Setting(name);
  if (!value || !value->empty()) return value;
  std::string made = make();
  if (auto set = folder.SetSetting(name, made); !set) return std::unexpected(set.error());
  return made;
}

bool IsGood(const net::CertificateAndKey& authority, Time now) {
  const auto info = net::ReadCertificate(authority.certificate_pem);
  return info && info->not_after > now + kLeastLeft && net::BelongTogether(authority);
}

}  // namespace

Result<UpIdentity> IdentityOf(apiserver::DataFolder* folder, Time now) {
  UpIdentity identity;
  if (folder) {
    const auto certificate = folder->Setting("ca-certificate");
    const auto key = folder->Setting("ca-key");
    const auto port = folder->Setting("port");
    if (!certificate || !key || !port) {
      return std::unexpected((!certificate ? certificate : !key ? key : port).error());
    }
    identity.authority = {.certificate_pem = *certificate, .key_pem = *key};
    identity.port = static_cast<std::uint16_t>(std::strtoul(port->c_str(), nullptr, 10));
    auto token = Remembered(*folder, "token", net::RandomToken);
    if (!token) return std::unexpected(token.error());
    identity.token = std::move(*token);
    if (IsGood(identity.authority, now)) return identity;
  } else {
    identity.token = net::RandomToken();
  }
  auto authority = net::MakeCertificateAuthority("basalt-ca", now, kAuthorityLifetime);
  if (!authority) return std::unexpected(authority.error());
  identity.authority = std::move(*authority);
  if (folder) {
    // The key first: one without its certificate is made anew, the other way round too.
    auto told = folder->SetSetting("ca-key", identity.authority.key_pem);
    if (told) told = folder->SetSetting("ca-certificate", identity.authority.certificate_pem);
    if (!told) return std::unexpected(told.error());
  }
  return identity;
}

Result<void> RememberPort(apiserver::DataFolder& folder, std::uint16_t port) {
  return folder.SetSetting("port", std::to_string(port));
}

}  // namespace basalt::cli
