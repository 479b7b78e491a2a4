#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "net/openssl_ptr.h"
#include "net/tls.h"

// TLS settings ready for use. Only for net/'s .cc files.
namespace basalt::net {

// Holds the newest session of one origin, so that the next connection resumes it.
struct TlsSessionSlot {
  SessionPtr session;
};

// TLS 1.2 or newer with forward secrecy and authenticated encryption, HTTP/1.1 in ALPN.
// `client_ca_pem` not empty: a client needs a certificate of one of these.
Result<ContextPtr> MakeServerContext(const CertificateAndKey& identity,
                                     const std::string& client_ca_pem);
Result<ContextPtr> MakeClientContext(const TlsClientOptions& options);

// A client's side of one connection, which checks the server's certificate for `name` (a DNS name
// or an IP address) as the context says, and keeps its sessions in `slot`, which must outlive it.
// Null: it cannot be checked for such a name.
SslPtr NewClientSsl(SSL_CTX* context, const std::string& name, TlsSessionSlot* slot);
// Null: out of memory.
SslPtr NewServerSsl(SSL_CTX* context);

}  // namespace basalt::net
