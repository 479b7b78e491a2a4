#include "net/tls_context.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace basalt::net {
namespace {

// Which suite a client that knows just one agrees upon with our server; empty: none.
std::string Agreed(SSL_CTX* server_context, const char* suite, int version) {
  const ContextPtr client_context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_security_level(client_context.get(), 0);
  SSL_CTX_set_min_proto_version(client_context.get(), version);
  SSL_CTX_set_max_proto_version(client_context.get(), version);
  EXPECT_EQ(SSL_CTX_set_cipher_list(client_context.get(), suite), 1) << suite;
  const SslPtr client(SSL_new(client_context.get()));
  const SslPtr server = NewServerSsl(server_context);
  BIO* ends[2] = {};
  EXPECT_EQ(BIO_new_bio_pair(&ends[0], 0, &ends[1], 0), 1);
  SSL_set_bio(client.get(), ends[0], ends[0]);
  SSL_set_bio(server.get(), ends[1], ends[1]);
  SSL_set_connect_state(client.get());
  for (int round = 0; round < 10; ++round) {
    SSL_do_handshake(client.get());
    SSL_do_handshake(server.get());
    if (SSL_is_init_finished(client.get()) && SSL_is_init_finished(server.get())) {
      return SSL_get_cipher_name(server.get());
    }
  }
  TakeOpensslError();
  return "";
}

TEST(TlsContextTest, OnlyAuthenticatedEncryptionWithForwardSecrecyIsAgreedUpon) {
  const Time now = std::chrono::system_clock::now();
  const auto authority = MakeCertificateAuthority("ca", now, 24h);
  const auto identity =
      MakeCertificate(*authority, {.common_name = "s", .ip_addresses = {"127.0.0.1"}, .now = now});
  ASSERT_TRUE(identity);
  const Result<ContextPtr> context = MakeServerContext(*identity, "");
  ASSERT_TRUE(context) << context.error().message;
  for (const char* good : {"ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
                           "ECDHE-ECDSA-CHACHA20-POLY1305"}) {
    EXPECT_EQ(Agreed(context->get(), good, TLS1_2_VERSION), good);
  }
  for (const char* bad : {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA",
                          "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-CCM"}) {
    EXPECT_EQ(Agreed(context->get(), bad, TLS1_2_VERSION), "") << bad;
  }
  EXPECT_NE(Agreed(context->get(), "DEFAULT", TLS1_3_VERSION), "");
  EXPECT_EQ(Agreed(context->get(), "ALL:@SECLEVEL=0", TLS1_1_VERSION), "");
}

TEST(TlsContextTest, AnAuthorityMaySignNoOther) {
  const Time now = std::chrono::system_clock::now();
  const auto root = MakeCertificateAuthority("root", now, 24h);
  ASSERT_TRUE(root);
  const CertPtr certificate = ParseCertificate(root->certificate_pem);
  EXPECT_EQ(X509_get_pathlen(certificate.get()), 0);
}

}  // namespace
}  // namespace basalt::net
