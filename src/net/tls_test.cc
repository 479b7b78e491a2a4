#include "net/tls.h"

#include <gmock/gmock.h>

#include "net/net_test_util.h"

namespace basalt::net {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TlsTest, ACertificateSaysWhatWasAskedFor) {
  const Time now{std::chrono::sys_days{std::chrono::year{2026} / 3 / 4}};
  const auto ca = MakeCertificateAuthority("root", now, 240h);
  ASSERT_TRUE(ca);
  const auto made = MakeCertificate(*ca, {.common_name = "me",
                                          .organizations = {"system:masters", "a,b"},
                                          .dns_names = {"a.test", "*.b.test"},
                                          .ip_addresses = {"10.0.0.1", "fd00::1"},
                                          .now = now,
                                          .lifetime = 24h});
  ASSERT_TRUE(made) << made.error().message;
  const auto info = ReadCertificate(made->certificate_pem);
  ASSERT_TRUE(info);
  EXPECT_THAT(info->subject, HasSubstr("O = system:masters"));
  EXPECT_THAT(info->subject, HasSubstr("CN = me"));
  EXPECT_EQ(info->not_before, now - 1h);
  EXPECT_EQ(info->not_after, now + 24h);
  EXPECT_THAT(info->dns_names, ElementsAre("a.test", "*.b.test"));
  EXPECT_THAT(info->ip_addresses, ElementsAre("10.0.0.1", "fd00::1"));
}

TEST(TlsTest, RefusesWhatIsNoCertificateNameOrAddress) {
  const Time now{std::chrono::sys_days{std::chrono::year{2026} / 3 / 4}};
  EXPECT_FALSE(ReadCertificate(""));
  EXPECT_FALSE(ReadCertificate("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"));
  const auto ca = MakeCertificateAuthority("root", now, 240h);
  EXPECT_FALSE(MakeCertificate(*ca, {.ip_addresses = {"10.0.0"}, .now = now}));
  EXPECT_FALSE(MakeCertificate(*ca, {.dns_names = {"a b"}, .now = now}));
  EXPECT_FALSE(MakeCertificate({"x", "y"}, {.common_name = "a", .now = now}));
}

class TlsConnectionTest : public NetTest {
 protected:
  void ServeWith(CertificateAndKey identity) { Serve({.tls = std::move(identity)}, Echo); }
  // The error, or "ok".
  std::string Try(TlsClientOptions tls, std::string host = "127.0.0.1") {
    client.reset();
    Connect(Origin(true, std::move(host)), {.tls = std::move(tls)});
    const auto response = Fetch({.method = "GET", .target = "/"});
    if (response) return "ok";
    EXPECT_EQ(response.error().code, ErrorCode::kInvalidArgument) << response.error().message;
    EXPECT_TRUE(response.error().unsent);
    return response.error().message;
  }
};

TEST_F(TlsConnectionTest, OnlyTheRightServerIsTrusted) {
  const Time now = std::chrono::system_clock::now();
  const std::string ca = Authority().certificate_pem;
  const std::string other_ca = MakeCertificateAuthority("other", now, 24h)->certificate_pem;
  ServeWith(Identity());
  EXPECT_EQ(Try({.ca_pem = ca}), "ok");
  EXPECT_EQ(Try({.ca_pem = ca}, "localhost"), "ok");
  EXPECT_EQ(Try({.ca_pem = other_ca + ca}), "ok") << "any of a bundle will do";
  EXPECT_EQ(Try({.ca_pem = ca, .server_name = "server.test"}), "ok");
  EXPECT_THAT(Try({.ca_pem = ca, .server_name = "other.test"}), HasSubstr("hostname mismatch"));
  EXPECT_THAT(Try({.ca_pem = ca, .server_name = "127.0.0.2"}), HasSubstr("IP address mismatch"));
  EXPECT_THAT(Try({.ca_pem = ca, .server_name = "server"}), HasSubstr("hostname mismatch"))
      << "the common name does not count";
  EXPECT_THAT(Try({.ca_pem = other_ca}), HasSubstr("not trusted"));
  EXPECT_THAT(Try({}), HasSubstr("not trusted")) << "the system does not know our CA";
  EXPECT_EQ(Try({.ca_pem = other_ca, .server_name = "x", .insecure_skip_verify = true}), "ok");
}

TEST_F(TlsConnectionTest, ACertificateOutOfItsTimeIsRefused) {
  const Time now = std::chrono::system_clock::now();
  ServeWith(*MakeCertificate(
      Authority(),
      {.common_name = "late", .ip_addresses = {"127.0.0.1"}, .now = now - 48h, .lifetime = 24h}));
  EXPECT_THAT(Try({.ca_pem = Authority().certificate_pem}), HasSubstr("has expired"));
  ServeWith(*MakeCertificate(
      Authority(), {.common_name = "early", .ip_addresses = {"127.0.0.1"}, .now = now + 24h}));
  EXPECT_THAT(Try({.ca_pem = Authority().certificate_pem}), HasSubstr("not yet valid"));
}

TEST_F(TlsConnectionTest, AReplacedCertificateIsForTheNextConnection) {
  ServeWith(Identity());
  EXPECT_EQ(Try({.ca_pem = Authority().certificate_pem}), "ok");
  const auto other = MakeCertificateAuthority("other", std::chrono::system_clock::now(), 24h);
  ASSERT_TRUE(server->ReplaceCertificate(*MakeCertificate(
      *other, {.ip_addresses = {"127.0.0.1"}, .now = std::chrono::system_clock::now()})));
  EXPECT_EQ(Try({.ca_pem = other->certificate_pem}), "ok");
  EXPECT_FALSE(server->ReplaceCertificate({"rubbish", "rubbish"}));
  EXPECT_EQ(Try({.ca_pem = other->certificate_pem}), "ok");
}

TEST_F(TlsConnectionTest, LaterConnectionsResumeTheSession) {
  for (const bool client_certificates : {false, true}) {
    client.reset();
    const std::string ca = Authority().certificate_pem;
    Serve({.tls = Identity(), .client_ca_pem = client_certificates ? ca : ""},
          [](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
            exchange->Respond({.headers = {{"Connection", "close"}}});
          });
    const CertificateAndKey mine = Identity();
    Connect(
        Origin(true),
        {.tls = {.ca_pem = ca, .certificate_pem = mine.certificate_pem, .key_pem = mine.key_pem}});
    for (int i = 0; i < 3; ++i) {
      const auto response = Fetch({.method = "GET", .target = "/"});
      ASSERT_TRUE(response) << response.error().message;
    }
    EXPECT_EQ(client->connections_made(), 3);
    EXPECT_EQ(client->sessions_resumed(), 2);
  }
}

TEST_F(TlsConnectionTest, AServerThatAsksForACertificateTakesOnlyAGoodOne) {
  Serve({.tls = Identity(), .client_ca_pem = Authority().certificate_pem}, Echo);
  const auto try_with = [&](const CertificateAndKey& mine) {
    client.reset();
    Connect(Origin(true), {.tls = {.ca_pem = Authority().certificate_pem,
                                   .certificate_pem = mine.certificate_pem,
                                   .key_pem = mine.key_pem}});
    return Fetch({.method = "POST", .target = "/", .body = "x"});
  };
  const Time now = std::chrono::system_clock::now();
  const auto good = try_with(*MakeCertificate(
      Authority(),
      {.common_name = "me", .organizations = {"system:masters"}, .now = now, .for_client = true}));
  EXPECT_TRUE(good) << good.error().message;
  const auto a_servers = try_with(*MakeCertificate(Authority(), {.common_name = "me", .now = now}));
  ASSERT_FALSE(a_servers) << "a server's certificate says nothing of a client";
  EXPECT_EQ(a_servers.error().code, ErrorCode::kUnauthorized);
  const auto none = try_with({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(none.error().message, HasSubstr("certificate required"));
  const auto other = MakeCertificateAuthority("other", now, 24h);
  const auto wrong =
      try_with(*MakeCertificate(*other, {.common_name = "me", .now = now, .for_client = true}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kUnauthorized);
}

TEST_F(TlsConnectionTest, UnusableCertificatesAreNamedBeforeAnyConnection) {
  struct Row {
    TlsClientOptions tls;
    std::string_view message;
  };
  const CertificateAndKey mine = Identity();
  const Row rows[] = {
      {{.ca_pem = "rubbish"}, "certificate authority is not PEM"},
      {{.certificate_pem = "rubbish", .key_pem = mine.key_pem}, "the certificate is not PEM"},
      {{.certificate_pem = mine.certificate_pem, .key_pem = "rubbish"}, "private key is not PEM"},
      {{.certificate_pem = mine.certificate_pem, .key_pem = Identity().key_pem},
       "does not belong to the certificate"},
  };
  for (const Row& row : rows) {
    const auto made =
        HttpClient::Create(loop, {.tls = true, .host = "a", .port = 1}, {.tls = row.tls});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(made.error().message, HasSubstr(std::string(row.message)));
  }
}

TEST_F(TlsConnectionTest, ANameThatNoCertificateCanHaveIsRefusedNotIgnored) {
  using namespace std::string_literals;
  for (const std::string& name : {"server.test\0.evil.test"s, "server.test\0"s, "\0"s}) {
    const auto made =
        HttpClient::Create(loop, {.tls = true, .host = "127.0.0.1", .port = 1},
                           {.tls = {.ca_pem = Authority().certificate_pem, .server_name = name}});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("no certificate can be for"));
  }
}

TEST(TlsTest, AKeyIsKnownByItsCertificate) {
  const Time now{std::chrono::sys_days{std::chrono::year{2026} / 3 / 4}};
  const auto one = MakeCertificateAuthority("one", now, 24h);
  const auto two = MakeCertificateAuthority("two", now, 24h);
  ASSERT_TRUE(one && two);
  EXPECT_TRUE(BelongTogether(*one));
  EXPECT_FALSE(BelongTogether({one->certificate_pem, two->key_pem}));
  EXPECT_FALSE(BelongTogether({one->certificate_pem, "rubbish"}));
  EXPECT_FALSE(BelongTogether({"rubbish", one->key_pem}));
}

TEST_F(TlsConnectionTest, PlainAndTlsDoNotUnderstandEachOtherAndSayWhat) {
  Serve({}, Echo);
  Connect(Origin(true));
  const auto tls_to_plain = Fetch({.method = "GET", .target = "/"});
  ASSERT_FALSE(tls_to_plain);
  EXPECT_THAT(tls_to_plain.error().message, HasSubstr("TLS: "));
  ServeWith(Identity());
  Connect(Origin(false));
  EXPECT_FALSE(Fetch({.method = "GET", .target = "/"}));
}

}  // namespace
}  // namespace basalt::net
