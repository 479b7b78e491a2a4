#include "webhook/certificate_files.h"

#include <utility>

#include "base/log.h"
#include "kube/client/files.h"

namespace basalt::webhook {

CertificateFiles::CertificateFiles(Loop& loop, std::string certificate_file, std::string key_file,
                                   OnChange on_change)
    : certificate_file_(std::move(certificate_file)),
      key_file_(std::move(key_file)),
      on_change_(std::move(on_change)),
      timer_(loop) {}

Result<net::CertificateAndKey> CertificateFiles::Read() const {
  auto certificate = kube::ReadFile(certificate_file_);
  if (!certificate) return std::unexpected(certificate.error().Wrap("--tls-cert-file"));
  auto key = kube::ReadFile(key_file_);
  if (!key) return std::unexpected(key.error().Wrap("--tls-private-key-file"));
  return net::CertificateAndKey{std::move(*certificate), std::move(*key)};
}

void CertificateFiles::Follow(const net::CertificateAndKey& known) {
  known_ = known;
  timer_.Start(1s, [this] { Look(); });
}

void CertificateFiles::Look() {
  // A file that is away for a moment is being replaced.
  if (const auto read = Read(); read && (read->certificate_pem != known_.certificate_pem ||
                                         read->key_pem != known_.key_pem)) {
    if (on_change_(*read)) known_ = *read;
  }
  timer_.Start(1s, [this] { Look(); });
}

}  // namespace basalt::webhook
