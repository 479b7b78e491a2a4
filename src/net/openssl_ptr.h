#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>

// Owning pointers to OpenSSL's objects, and its errors as text. Only for net/'s .cc files.
namespace basalt::net {

template <auto kFree>
struct OpensslDelete {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using BioPtr = std::unique_ptr<BIO, OpensslDelete<BIO_free_all>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpensslDelete<EVP_PKEY_free>>;
using CertPtr = std::unique_ptr<X509, OpensslDelete<X509_free>>;
using ContextPtr = std::unique_ptr<SSL_CTX, OpensslDelete<SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, OpensslDelete<SSL_free>>;
using SessionPtr = std::unique_ptr<SSL_SESSION, OpensslDelete<SSL_SESSION_free>>;

BioPtr ReadOnlyBio(std::string_view text);
// Null: `pem` has none, or it is broken.
CertPtr ParseCertificate(std::string_view pem);
KeyPtr ParseKey(std::string_view pem);

// Takes the thread's error queue and says its first entry.
std::string TakeOpensslError();

}  // namespace basalt::net
