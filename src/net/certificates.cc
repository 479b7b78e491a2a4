#include "net/certificates.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>

#include "base/check.h"

namespace basalt::net {
namespace {

template <class T, void (*kFree)(T*)>
struct Deleter {
  void operator()(T* value) const { kFree(value); }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509, X509_free>>;
using Bio = std::unique_ptr<BIO, Deleter<BIO, BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, Deleter<X509_EXTENSION, X509_EXTENSION_free>>;

// Thrown within this file only.
struct OpenSslError {
  const char* step;
};

void Require(bool ok, const char* step) {
  if (!ok) throw OpenSslError{step};
}

Key MakeKey() {
  Key key(EVP_EC_gen("P-256"));
  Require(key != nullptr, "making a key");
  return key;
}

void AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  Require(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1,
          "adding an extension");
}

Certificate MakeUnsigned(EVP_PKEY* key, const std::string& common_name, Time from, Time until) {
  Certificate certificate(X509_new());
  Require(certificate != nullptr, "making a certificate");
  Require(X509_set_version(certificate.get(), X509_VERSION_3) == 1, "setting the version");
  // RFC 5280: a positive number of at most 20 bytes.
  std::array<unsigned char, 16> serial{};
  Require(RAND_bytes(serial.data(), serial.size()) == 1, "drawing a serial number");
  serial[0] = (serial[0] & 0x7f) | 0x40;
  std::unique_ptr<BIGNUM, Deleter<BIGNUM, BN_free>> number(
      BN_bin2bn(serial.data(), serial.size(), nullptr));
  Require(number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())),
          "setting the serial number");
  const auto seconds = [](Time time) {
    return static_cast<time_t>(
        std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count());
  };
  Require(ASN1_TIME_set(X509_getm_notBefore(certificate.get()), seconds(from)) != nullptr &&
              ASN1_TIME_set(X509_getm_notAfter(certificate.get()), seconds(until)) != nullptr,
          "setting the validity");
  Require(X509_set_pubkey(certificate.get(), key) == 1, "setting the public key");
  X509_NAME* name = X509_get_subject_name(certificate.get());
  Require(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                     reinterpret_cast<const unsigned char*>(common_name.data()),
                                     static_cast<int>(common_name.size()), -1, 0) == 1,
          "setting the name");
  return certificate;
}

void Sign(X509* certificate, EVP_PKEY* key) {
  Require(X509_sign(certificate, key, EVP_sha256()) > 0, "signing");
}

std::string Contents(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

std::string Pem(X509* certificate) {
  Bio bio(BIO_new(BIO_s_mem()));
  Require(bio && PEM_write_bio_X509(bio.get(), certificate) == 1, "writing a certificate");
  return Contents(bio.get());
}

std::string Pem(EVP_PKEY* key) {
  Bio bio(BIO_new(BIO_s_mem()));
  Require(
      bio && PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1,
      "writing a key");
  return Contents(bio.get());
}

bool IsAddress(const std::string& host) {
  unsigned char buffer[16];
  return inet_pton(AF_INET, host.c_str(), buffer) == 1 ||
         inet_pton(AF_INET6, host.c_str(), buffer) == 1;
}

std::string AlternativeNames(const std::vector<std::string>& hosts) {
  std::string names;
  for (const std::string& host : hosts) {
    if (!names.empty()) names += ",";
    names += (IsAddress(host) ? "IP:" : "DNS:") + host;
  }
  return names;
}

}  // namespace

Result<ServingCertificate> MakeServingCertificate(const std::string& common_name,
                                                  const std::vector<std::string>& hosts, Time now,
                                                  Duration lifetime) {
  BASALT_CHECK(!hosts.empty());
  for (const std::string& host : hosts) {
    // The names go into OpenSSL's configuration syntax, where these mean something.
    if (host.empty() || host.find_first_of(",:=\n") != std::string::npos) {
      if (!IsAddress(host)) {
        return Fail(ErrorCode::kInvalidArgument, "\"" + host + "\" is no host name or address");
      }
    }
  }
  try {
    const Time from = now - 1h;
    const Time until = now + lifetime;
    const Key ca_key = MakeKey();
    const Certificate ca = MakeUnsigned(ca_key.get(), common_name + "-ca", from, until);
    Require(X509_set_issuer_name(ca.get(), X509_get_subject_name(ca.get())) == 1, "naming the CA");
    AddExtension(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
    AddExtension(ca.get(), ca.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
    AddExtension(ca.get(), ca.get(), NID_subject_key_identifier, "hash");
    Sign(ca.get(), ca_key.get());

    const Key key = MakeKey();
    const Certificate certificate = MakeUnsigned(key.get(), common_name, from, until);
    Require(X509_set_issuer_name(certificate.get(), X509_get_subject_name(ca.get())) == 1,
            "naming the issuer");
    AddExtension(certificate.get(), ca.get(), NID_basic_constraints, "critical,CA:FALSE");
    AddExtension(certificate.get(), ca.get(), NID_key_usage, "critical,digitalSignature");
    AddExtension(certificate.get(), ca.get(), NID_ext_key_usage, "serverAuth");
    AddExtension(certificate.get(), ca.get(), NID_authority_key_identifier, "keyid:always");
    AddExtension(certificate.get(), ca.get(), NID_subject_alt_name, AlternativeNames(hosts));
    Sign(certificate.get(), ca_key.get());
    return ServingCertificate{Pem(ca.get()), Pem(certificate.get()), Pem(key.get())};
  } catch (const OpenSslError& error) {
    char reason[256];
    ERR_error_string_n(ERR_get_error(), reason, sizeof reason);
    return Fail(ErrorCode::kInternal, std::string(error.step) + ": " + reason);
  }
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
