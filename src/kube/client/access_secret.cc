#include "kube/client/access_secret.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/base64.h"
#include "base/log.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;

constexpr Duration kRetry = 2s;

}  // namespace

AccessSecret::AccessSecret(Client& client, std::string ns, std::string name, Access access)
    : client_(client),
      ns_(std::move(ns)),
      name_(std::move(name)),
      access_(std::move(access)),
      retry_(client.loop()) {}

std::string AccessSecret::Body() const {
  return json::serialize(json::object{{"apiVersion", "v1"},
                                      {"kind", "Secret"},
                                      {"metadata", {{"name", name_}, {"namespace", ns_}}},
                                      {"type", "Opaque"},
                                      {"data",
                                       {{"address", Base64Encode(access_.address)},
                                        {"ca.crt", Base64Encode(access_.ca_pem)},
                                        {"token", Base64Encode(access_.token)}}}});
}

void AccessSecret::Publish() {
  published_ = false;
  retry_.Stop();
  scope_.Reset();
  Replace();
}

void AccessSecret::Replace() {
  const auto answered = [this](const Result<ApiResponse>& result) {
    if (!result && result.error().code == ErrorCode::kNotFound) return Create();
    Ended(result);
  };
  client_.Patch({resources::kSecrets, ns_, name_}, PatchKind::kMerge, Body(),
                scope_.Guard(answered));
}

void AccessSecret::Create() {
  const auto answered = [this](const Result<ApiResponse>& result) {
    if (!result && result.error().code == ErrorCode::kNotFound) return MakeNamespace();
    if (!result && result.error().code == ErrorCode::kAlreadyExists) return Replace();
    Ended(result);
  };
  client_.Create({resources::kSecrets, ns_}, Body(), scope_.Guard(answered));
}

void AccessSecret::MakeNamespace() {
  const auto answered = [this](const Result<ApiResponse>& result) {
    if (!result && result.error().code != ErrorCode::kAlreadyExists) return Ended(result);
    Create();
  };
  client_.Create({resources::kNamespaces},
                 json::serialize(json::object{
                     {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", ns_}}}}),
                 scope_.Guard(answered));
}

void AccessSecret::Ended(const Result<ApiResponse>& result) {
  published_ = result.has_value();
  tried_ = true;
  if (published_ || result.error().code == ErrorCode::kCancelled) return;  // it no longer leads
  log::Warning("questions cannot be asked: the Secret cannot be written",
               {{"secret", fmt::format("{}/{}", ns_, name_)},
                {"error", result.error().message},
                {"retry", "in 2 s"}});
  retry_.Start(kRetry, [this] { Replace(); });
}

Result<Access> ReadAccessSecret(std::string_view name, std::string_view secret_json) {
  boost::system::error_code error;
  const json::value secret = json::parse(secret_json, error);
  const json::object* object = error ? nullptr : secret.if_object();
  const json::value* data = object ? object->if_contains("data") : nullptr;
  Access access;
  const std::pair<const char*, std::string*> fields[] = {
      {"address", &access.address}, {"ca.crt", &access.ca_pem}, {"token", &access.token}};
  for (const auto& [key, out] : fields) {
    const json::value* text =
        data && data->is_object() ? data->as_object().if_contains(key) : nullptr;
    const auto decoded = text && text->is_string()
                             ? Base64Decode(std::string_view(text->as_string()))
                             : std::nullopt;
    if (!decoded || decoded->empty()) {
      return Fail(ErrorCode::kInvalid, fmt::format("Secret {} has no usable {}", name, key));
    }
    *out = *decoded;
  }
  return access;
}

}  // namespace basalt::kube
