#include "net/tls.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

#include <ctime>

#include "net/openssl_ptr.h"
#include "net/url.h"

namespace basalt::net {
namespace {

std::unexpected<Error> OpensslFail(std::string_view doing) {
  return Fail(ErrorCode::kInternal, fmt::format("{}: {}", doing, TakeOpensslError()));
}

std::time_t ToSeconds(Time time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

std::string ToText(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

bool AddName(X509_NAME* name, const char* field, const std::string& value) {
  return value.empty() ||
         X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

bool AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// Names go in one by one, not through OpenSSL's configuration text, where a comma would end them.
bool AddAlternativeNames(X509* certificate, const CertificateRequest& request) {
  GENERAL_NAMES* names = GENERAL_NAMES_new();
  bool good = names != nullptr;
  for (const std::string& dns : request.dns_names) {
    GENERAL_NAME* name = GENERAL_NAME_new();
    ASN1_IA5STRING* text = ASN1_IA5STRING_new();
    ASN1_STRING_set(text, dns.data(), static_cast<int>(dns.size()));
    GENERAL_NAME_set0_value(name, GEN_DNS, text);
    good = good && sk_GENERAL_NAME_push(names, name) > 0;
  }
  for (const std::string& ip : request.ip_addresses) {
    ASN1_OCTET_STRING* address = a2i_IPADDRESS(ip.c_str());
    if (address == nullptr) {
      good = false;
      break;
    }
    GENERAL_NAME* name = GENERAL_NAME_new();
    GENERAL_NAME_set0_value(name, GEN_IPADD, address);
    good = good && sk_GENERAL_NAME_push(names, name) > 0;
  }
  good = good && X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, 0) == 1;
  GENERAL_NAMES_free(names);
  return good;
}

bool IsDnsName(std::string_view name) {
  return !name.empty() && name.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                              "XYZ0123456789-._*") == std::string_view::npos;
}

bool SetRandomSerial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof(bytes)) != 1) return false;
  bytes[0] &= 0x7f;  // positive
  BIGNUM* number = BN_bin2bn(bytes, sizeof(bytes), nullptr);
  const bool set = BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr;
  BN_free(number);
  return set;
}

// `authority` null: signed by itself, and a CA.
Result<CertificateAndKey> Make(const CertificateAndKey* authority,
                               const CertificateRequest& request) {
  const KeyPtr key(EVP_EC_gen("P-256"));
  const CertPtr certificate(X509_new());
  if (key == nullptr || certificate == nullptr) return OpensslFail("making a key");

  CertPtr issuer;
  KeyPtr issuer_key;
  if (authority != nullptr) {
    issuer = ParseCertificate(authority->certificate_pem);
    issuer_key = ParseKey(authority->key_pem);
    if (issuer == nullptr || issuer_key == nullptr) return OpensslFail("reading the CA");
  }
  X509* cert = certificate.get();
  X509* signer = issuer == nullptr ? cert : issuer.get();

  X509_NAME* name = X509_get_subject_name(cert);
  bool good = X509_set_version(cert, X509_VERSION_3) == 1 && SetRandomSerial(cert) &&
              ASN1_TIME_set(X509_getm_notBefore(cert), ToSeconds(request.now - 1h)) != nullptr &&
              ASN1_TIME_set(X509_getm_notAfter(cert), ToSeconds(request.now + request.lifetime)) !=
                  nullptr &&
              X509_set_pubkey(cert, key.get()) == 1;
  for (const std::string& organization : request.organizations) {
    good = good && AddName(name, "O", organization);
  }
  good = good && AddName(name, "CN", request.common_name) &&
         X509_set_issuer_name(cert, X509_get_subject_name(signer)) == 1 &&
         AddExtension(cert, signer, NID_subject_key_identifier, "hash");
  if (authority == nullptr) {
    good = good &&
           AddExtension(cert, signer, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
           AddExtension(cert, signer, NID_key_usage, "critical,keyCertSign,cRLSign");
  } else {
    good = good && AddExtension(cert, signer, NID_basic_constraints, "critical,CA:FALSE") &&
           AddExtension(cert, signer, NID_key_usage, "critical,digitalSignature") &&
           AddExtension(cert, signer, NID_ext_key_usage,
                        request.for_client ? "serverAuth,clientAuth" : "serverAuth");
    if (!request.dns_names.empty() || !request.ip_addresses.empty()) {
      good = good && AddAlternativeNames(cert, request);
    }
  }
  good = good && AddExtension(cert, signer, NID_authority_key_identifier, "keyid") &&
         X509_sign(cert, issuer_key == nullptr ? key.get() : issuer_key.get(), EVP_sha256()) > 0;
  if (!good) return OpensslFail(fmt::format("making a certificate for {}", request.common_name));

  const BioPtr cert_out(BIO_new(BIO_s_mem()));
  const BioPtr key_out(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(cert_out.get(), cert) != 1 ||
      PEM_write_bio_PrivateKey(key_out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return OpensslFail("writing a certificate");
  }
  return CertificateAndKey{ToText(cert_out.get()), ToText(key_out.get())};
}

Time ToTime(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return Time(std::chrono::seconds(timegm(&parts)));
}

std::string AddressText(const ASN1_OCTET_STRING* address) {
  char text[INET6_ADDRSTRLEN] = "";
  const int family = ASN1_STRING_length(address) == 4 ? AF_INET : AF_INET6;
  inet_ntop(family, ASN1_STRING_get0_data(address), text, sizeof(text));
  return text;
}

void ReadAlternativeNames(X509* certificate, CertificateInfo& info) {
  auto* names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    int type = 0;
    void* value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &type);
    if (type == GEN_DNS) {
      auto* text = static_cast<ASN1_IA5STRING*>(value);
      info.dns_names.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                                  ASN1_STRING_length(text));
    } else if (type == GEN_IPADD) {
      info.ip_addresses.push_back(AddressText(static_cast<ASN1_OCTET_STRING*>(value)));
    }
  }
  GENERAL_NAMES_free(names);
}

}  // namespace

Result<CertificateAndKey> MakeCertificateAuthority(std::string_view common_name, Time now,
                                                   Duration lifetime) {
  return Make(nullptr, {.common_name = std::string(common_name), .now = now, .lifetime = lifetime});
}

Result<CertificateAndKey> MakeCertificate(const CertificateAndKey& authority,
                                          const CertificateRequest& request) {
  for (const std::string& name : request.dns_names) {
    if (!IsDnsName(name)) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not a DNS name", name));
    }
  }
  for (const std::string& ip : request.ip_addresses) {
    if (!IsIpAddress(ip)) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is not an IP address", ip));
    }
  }
  return Make(&authority, request);
}

Result<CertificateInfo> ReadCertificate(std::string_view pem) {
  const CertPtr certificate = ParseCertificate(pem);
  if (certificate == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("not a certificate in PEM: {}", TakeOpensslError()));
  }
  CertificateInfo info;
  const BioPtr subject(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(subject.get(), X509_get_subject_name(certificate.get()), 0,
                     XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
  info.subject = ToText(subject.get());
  info.not_before = ToTime(X509_get0_notBefore(certificate.get()));
  info.not_after = ToTime(X509_get0_notAfter(certificate.get()));
  ReadAlternativeNames(certificate.get(), info);
  return info;
}

bool BelongTogether(const CertificateAndKey& pair) {
  const CertPtr certificate = ParseCertificate(pair.certificate_pem);
  const KeyPtr key = ParseKey(pair.key_pem);
  const bool belong = certificate != nullptr && key != nullptr &&
                      X509_check_private_key(certificate.get(), key.get()) == 1;
  if (!belong) TakeOpensslError();
  return belong;
}

}  // namespace basalt::net
