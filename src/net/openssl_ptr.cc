#include "net/openssl_ptr.h"

#include <openssl/err.h>
#include <openssl/pem.h>

namespace basalt::net {
namespace {

// A key with a pass phrase cannot be used: nobody is there to type it.
int NoPassPhrase(char*, int, int, void*) { return -1; }

}  // namespace

BioPtr ReadOnlyBio(std::string_view text) {
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

CertPtr ParseCertificate(std::string_view pem) {
  const BioPtr bio = ReadOnlyBio(pem);
  return CertPtr(PEM_read_bio_X509(bio.get(), nullptr, NoPassPhrase, nullptr));
}

KeyPtr ParseKey(std::string_view pem) {
  const BioPtr bio = ReadOnlyBio(pem);
  return KeyPtr(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassPhrase, nullptr));
}

std::string TakeOpensslError() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  const char* reason = ERR_reason_error_string(code);
  if (reason != nullptr) return reason;
  char text[256];
  ERR_error_string_n(code, text, sizeof(text));
  return text;
}

}  // namespace basalt::net
