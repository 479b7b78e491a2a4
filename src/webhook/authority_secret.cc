#include "webhook/authority_secret.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/base64.h"
#include "base/log.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// Others that keep on winning against us write what we want: a few rounds always suffice.
constexpr int kRounds = 5;

json::object Data(const Authority& authority) {
  return {{"ca.crt", Base64Encode(authority.bundle_pem)},
          {"ca.key", Base64Encode(authority.newest.key_pem)}};
}

struct SecretText {
  std::string resource_version;
  std::string bundle_pem;
  std::string key_pem;
};

std::string TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

SecretText ReadSecret(std::string_view body) {
  SecretText text;
  boost::system::error_code error;
  const json::value secret = json::parse(body, error);
  if (error || !secret.is_object()) return text;
  if (const json::value* meta = secret.as_object().if_contains("metadata");
      meta != nullptr && meta->is_object()) {
    text.resource_version = TextOf(meta->get_object(), "resourceVersion");
  }
  if (const json::value* data = secret.as_object().if_contains("data");
      data != nullptr && data->is_object()) {
    text.bundle_pem = Base64Decode(TextOf(data->get_object(), "ca.crt")).value_or("");
    text.key_pem = Base64Decode(TextOf(data->get_object(), "ca.key")).value_or("");
  }
  return text;
}

}  // namespace

void AuthoritySecret::Load(Done done) {
  done_ = std::move(done);
  rounds_left_ = kRounds;
  Read();
}

void AuthoritySecret::Read() {
  if (rounds_left_-- == 0) {
    return Finish(Fail(ErrorCode::kConflict, "others keep on writing the secret"));
  }
  client_.Get(
      {resources::kSecrets, options_.ns, options_.name},
      scope_.Guard([this](Result<kube::ApiResponse> result) { OnRead(std::move(result)); }));
}

void AuthoritySecret::OnRead(Result<kube::ApiResponse> result) {
  if (!result && result.error().code == ErrorCode::kNotFound) return Create(false);
  if (!result) return Finish(std::unexpected(result.error()));
  SecretText text = ReadSecret(result->body);
  Result<Authority> authority = ReadAuthority(text.bundle_pem, text.key_pem);
  if (!authority) {
    log::Warning(
        "the webhook's secret cannot be used and is made anew",
        {{"secret", options_.ns + "/" + options_.name}, {"why", authority.error().message}});
    return Renew(text.resource_version, "");
  }
  if (NeedsRenewal(authority->newest.certificate_pem, client_.loop().Now())) {
    return Renew(text.resource_version, text.bundle_pem);
  }
  Finish(Loaded{std::move(*authority), std::move(text.resource_version)});
}

void AuthoritySecret::Create(bool namespace_is_new) {
  Result<Authority> authority = MakeAuthority(client_.loop().Now(), options_.lifetime);
  if (!authority) return Finish(std::unexpected(authority.error()));
  const json::object secret{
      {"apiVersion", "v1"},
      {"kind", "Secret"},
      {"metadata", json::object{{"name", options_.name}, {"namespace", options_.ns}}},
      {"type", "Opaque"},
      {"data", Data(*authority)}};
  client_.Create(
      {resources::kSecrets, options_.ns}, json::serialize(secret),
      scope_.Guard([this, authority = std::move(*authority),
                    namespace_is_new](Result<kube::ApiResponse> result) mutable {
        if (!result && result.error().code == ErrorCode::kNotFound && !namespace_is_new) {
          return MakeNamespace();
        }
        OnWritten(std::move(authority), std::move(result));
      }));
}

void AuthoritySecret::MakeNamespace() {
  const json::object ns{{"apiVersion", "v1"},
                        {"kind", "Namespace"},
                        {"metadata", json::object{{"name", options_.ns}}}};
  client_.Create({resources::kNamespaces}, json::serialize(ns),
                 scope_.Guard([this](Result<kube::ApiResponse> result) {
                   if (!result && result.error().code != ErrorCode::kAlreadyExists) {
                     return Finish(std::unexpected(result.error()));
                   }
                   Create(true);
                 }));
}

void AuthoritySecret::Renew(const std::string& resource_version, std::string_view old_bundle) {
  Result<Authority> authority = MakeAuthority(client_.loop().Now(), options_.lifetime, old_bundle);
  if (!authority) return Finish(std::unexpected(authority.error()));
  const json::object patch{{"metadata", json::object{{"resourceVersion", resource_version}}},
                           {"data", Data(*authority)}};
  client_.Patch({resources::kSecrets, options_.ns, options_.name}, kube::PatchKind::kMerge,
                json::serialize(patch),
                scope_.Guard([this, authority = std::move(*authority)](
                                 Result<kube::ApiResponse> result) mutable {
                  OnWritten(std::move(authority), std::move(result));
                }));
}

void AuthoritySecret::OnWritten(Authority authority, Result<kube::ApiResponse> result) {
  if (!result) {
    const ErrorCode code = result.error().code;
    // Another replica was faster, or the Secret went meanwhile.
    if (code == ErrorCode::kAlreadyExists || code == ErrorCode::kConflict ||
        code == ErrorCode::kNotFound) {
      return Read();
    }
    return Finish(std::unexpected(result.error()));
  }
  log::Info("made a certificate authority", {{"secret", options_.ns + "/" + options_.name}});
  Finish(Loaded{std::move(authority), ReadSecret(result->body).resource_version});
}

void AuthoritySecret::Finish(Result<Loaded> result) {
  if (!result) {
    result = std::unexpected(result.error().Wrap("secret " + options_.ns + "/" + options_.name));
  }
  Done done = std::move(done_);
  done(std::move(result));
}

}  // namespace basalt::webhook
