#include "net/certificates.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace basalt::net {
namespace {

std::unique_ptr<X509, void (*)(X509*)> Read(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  return {certificate, X509_free};
}

TEST(CertificatesTest, CertificateIsSignedByItsCaAndNamesItsHosts) {
  const Time now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  const auto made = MakeServingCertificate("basalt", {"localhost", "127.0.0.1", "::1"}, now);
  ASSERT_TRUE(made) << made.error().message;
  const auto ca = Read(made->ca_certificate);
  const auto certificate = Read(made->certificate);
  ASSERT_TRUE(ca && certificate);
  EXPECT_EQ(X509_verify(certificate.get(), X509_get0_pubkey(ca.get())), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate.get(), "::1", 0), 1);
  EXPECT_EQ(X509_check_host(certificate.get(), "example.org", 0, 0, nullptr), 0);

  X509_STORE* store = X509_STORE_new();
  X509_STORE_add_cert(store, ca.get());
  X509_STORE_CTX* context = X509_STORE_CTX_new();
  X509_STORE_CTX_init(context, store, certificate.get(), nullptr);
  EXPECT_EQ(X509_verify_cert(context), 1);
  X509_STORE_CTX_free(context);
  X509_STORE_free(store);
}

TEST(CertificatesTest, RefusesAHostThatIsNone) {
  EXPECT_FALSE(MakeServingCertificate("x", {"a,DNS:evil"}, Time{}));
  EXPECT_FALSE(MakeServingCertificate("x", {""}, Time{}));
}

TEST(CertificatesTest, TokensAreLongAndDiffer) {
  EXPECT_EQ(RandomToken().size(), 64u);
  EXPECT_NE(RandomToken(), RandomToken());
}

}  // namespace
}  // namespace basalt::net
