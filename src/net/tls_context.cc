#include "net/tls_context.h"

#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <cstring>

#include "net/url.h"

namespace basalt::net {
namespace {

constexpr unsigned char kHttp11[] = "\x08http/1.1";

std::unexpected<Error> Bad(std::string_view what) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", what, TakeOpensslError()));
}

int SlotIndex() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

int KeepSession(SSL* ssl, SSL_SESSION* session) {
  auto* slot = static_cast<TlsSessionSlot*>(SSL_get_ex_data(ssl, SlotIndex()));
  if (slot == nullptr) return 0;
  slot->session.reset(session);
  return 1;  // ours now
}

int ChooseProtocol(SSL*, const unsigned char** out, unsigned char* out_size,
                   const unsigned char* in, unsigned int in_size, void*) {
  unsigned char* chosen = nullptr;
  const int result =
      SSL_select_next_proto(&chosen, out_size, kHttp11, sizeof(kHttp11) - 1, in, in_size);
  if (result != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// Of TLS 1.2: forward secrecy and authenticated encryption. TLS 1.3 has no others.
constexpr char kCiphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20";

// False: OpenSSL's error says why.
[[nodiscard]] bool SetCommon(SSL_CTX* context) {
  if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(context, kCiphers) != 1) {
    return false;
  }
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Many connections are idle or wait for events: those hold no buffers.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  // One recv for many records instead of two for each.
  SSL_CTX_set_read_ahead(context, 1);
  return true;
}

// The whole chain in `pem`, leaf first.
Result<void> UseCertificate(SSL_CTX* context, const std::string& pem, const std::string& key_pem) {
  const BioPtr bio = ReadOnlyBio(pem);
  const CertPtr leaf(PEM_read_bio_X509_AUX(bio.get(), nullptr, nullptr, nullptr));
  if (leaf == nullptr) return Bad("the certificate is not PEM");
  if (SSL_CTX_use_certificate(context, leaf.get()) != 1) return Bad("using the certificate");
  while (X509* more = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    if (SSL_CTX_add0_chain_cert(context, more) != 1) {
      X509_free(more);
      return Bad("using the certificate chain");
    }
  }
  ERR_clear_error();  // the end of the file
  const KeyPtr key = ParseKey(key_pem);
  if (key == nullptr) return Bad("the private key is not PEM without a pass phrase");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
    return Bad("the private key does not belong to the certificate");
  }
  return {};
}

Result<void> TrustAuthorities(SSL_CTX* context, const std::string& pem) {
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  // Kubernetes trusts what is in the bundle, be it a root or not.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  const BioPtr bio = ReadOnlyBio(pem);
  int found = 0;
  while (true) {
    const CertPtr certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (certificate == nullptr) break;
    if (X509_STORE_add_cert(store, certificate.get()) != 1) return Bad("using the CA");
    ++found;
  }
  const unsigned long code = ERR_peek_last_error();
  if (found == 0 || ERR_GET_REASON(code) != PEM_R_NO_START_LINE) {
    return Bad("the certificate authority is not PEM");
  }
  ERR_clear_error();
  return {};
}

// SSL_set_tlsext_host_name without its cast.
bool SetServerName(SSL* ssl, const std::string& name) {
  return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                  const_cast<char*>(name.c_str())) == 1;
}

}  // namespace

Result<ContextPtr> MakeServerContext(const CertificateAndKey& identity,
                                     const std::string& client_ca_pem) {
  ContextPtr context(SSL_CTX_new(TLS_server_method()));
  if (!SetCommon(context.get())) return Bad("setting up TLS");
  SSL_CTX_set_alpn_select_cb(context.get(), ChooseProtocol, nullptr);
  if (auto used = UseCertificate(context.get(), identity.certificate_pem, identity.key_pem);
      !used) {
    return std::unexpected(used.error());
  }
  if (!client_ca_pem.empty()) {
    if (auto trusted = TrustAuthorities(context.get(), client_ca_pem); !trusted) {
      return std::unexpected(trusted.error().Wrap("clients"));
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    static constexpr unsigned char kSessions[] = "basalt";  // needed to resume with certificates
    if (SSL_CTX_set_session_id_context(context.get(), kSessions, sizeof(kSessions) - 1) != 1) {
      return Bad("setting up TLS sessions");
    }
  }
  return context;
}

Result<ContextPtr> MakeClientContext(const TlsClientOptions& options) {
  ContextPtr context(SSL_CTX_new(TLS_client_method()));
  // The one function of OpenSSL that returns 0 for success.
  if (!SetCommon(context.get()) ||
      SSL_CTX_set_alpn_protos(context.get(), kHttp11, sizeof(kHttp11) - 1) != 0) {
    return Bad("setting up TLS");
  }
  SSL_CTX_set_default_read_buffer_len(context.get(), 64 * 1024);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context.get(), KeepSession);
  SSL_CTX_set_verify(context.get(),
                     options.insecure_skip_verify ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  if (!options.ca_pem.empty()) {
    if (auto trusted = TrustAuthorities(context.get(), options.ca_pem); !trusted) {
      return std::unexpected(trusted.error());
    }
  } else if (SSL_CTX_set_default_verify_paths(context.get()) != 1) {
    return Bad("the system's certificate authorities");
  }
  if (!options.certificate_pem.empty()) {
    if (auto used = UseCertificate(context.get(), options.certificate_pem, options.key_pem);
        !used) {
      return std::unexpected(used.error().Wrap("client certificate"));
    }
  }
  return context;
}

SslPtr NewClientSsl(SSL_CTX* context, const std::string& name, TlsSessionSlot* slot) {
  // OpenSSL would take a name that it cannot check for no name at all.
  if (name.empty() || name.find('\0') != std::string::npos) return nullptr;
  SslPtr ssl(SSL_new(context));
  if (ssl == nullptr || SSL_set_ex_data(ssl.get(), SlotIndex(), slot) != 1) return nullptr;
  SSL_set_connect_state(ssl.get());
  X509_VERIFY_PARAM* verify = SSL_get0_param(ssl.get());
  // As Go does: only alternative names count, and a star stands for one whole label.
  X509_VERIFY_PARAM_set_hostflags(
      verify, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  const bool named = IsIpAddress(name)
                         ? X509_VERIFY_PARAM_set1_ip_asc(verify, name.c_str()) == 1
                         : X509_VERIFY_PARAM_set1_host(verify, name.c_str(), name.size()) == 1 &&
                               SetServerName(ssl.get(), name);
  if (!named) return nullptr;
  if (slot != nullptr && slot->session != nullptr) SSL_set_session(ssl.get(), slot->session.get());
  return ssl;
}

SslPtr NewServerSsl(SSL_CTX* context) {
  SslPtr ssl(SSL_new(context));
  if (ssl != nullptr) SSL_set_accept_state(ssl.get());
  return ssl;
}

}  // namespace basalt::net
