#include "scheduler/service/scheduler_key.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/base64.h"

namespace basalt::scheduler {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

constexpr std::string_view kField = "key";
// Two schedulers that start together, and a namespace that is missing, take a few.
constexpr int kMostReads = 4;
constexpr std::size_t kShortestKey = 16;

Result<std::string> KeyIn(const std::string& secret_json) {
  boost::system::error_code error;
  const json::value secret = json::parse(secret_json, error);
  const json::value* text =
      error ? nullptr : secret.find_pointer(fmt::format("/data/{}", kField), error);
  const auto key =
      text && text->is_string() ? Base64Decode(std::string_view(text->get_string())) : std::nullopt;
  if (!key || key->size() < kShortestKey) {
    return Fail(ErrorCode::kInvalid, fmt::format("it has no usable {}", kField));
  }
  return *key;
}

}  // namespace

SchedulerKey::SchedulerKey(kube::Client& client, std::string ns,
                           std::function<std::string()> make_key)
    : client_(client), ns_(std::move(ns)), make_key_(std::move(make_key)) {}

void SchedulerKey::Get(Done done) {
  done_ = std::move(done);
  Read(kMostReads);
}

void SchedulerKey::Read(int attempts_left) {
  const auto answered = [this, attempts_left](const Result<kube::ApiResponse>& result) {
    if (result) return Finish(KeyIn(result->body));
    const bool missing = result.error().code == ErrorCode::kNotFound;
    if (!missing || attempts_left == 0) return Finish(std::unexpected(result.error()));
    Create(attempts_left - 1);
  };
  client_.Get({resources::kSecrets, ns_, kSecretName}, scope_.Guard(answered));
}

void SchedulerKey::Create(int attempts_left) {
  const std::string key = make_key_();
  const json::object secret{{"apiVersion", "v1"},
                            {"kind", "Secret"},
                            {"metadata", {{"name", kSecretName}, {"namespace", ns_}}},
                            {"type", "Opaque"},
                            {"data", {{kField, Base64Encode(key)}}}};
  const auto answered = [this, key, attempts_left](const Result<kube::ApiResponse>& result) {
    if (result) return Finish(key);
    const ErrorCode code = result.error().code;
    if (code == ErrorCode::kAlreadyExists) return Read(attempts_left);
    if (code == ErrorCode::kNotFound && attempts_left > 0) return MakeNamespace(attempts_left - 1);
    Finish(std::unexpected(result.error()));
  };
  client_.Create({resources::kSecrets, ns_}, json::serialize(secret), scope_.Guard(answered));
}

void SchedulerKey::MakeNamespace(int attempts_left) {
  const auto answered = [this, attempts_left](const Result<kube::ApiResponse>& result) {
    if (!result && result.error().code != ErrorCode::kAlreadyExists) {
      return Finish(std::unexpected(result.error()));
    }
    Create(attempts_left);
  };
  client_.Create({resources::kNamespaces},
                 json::serialize(json::object{
                     {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", ns_}}}}),
                 scope_.Guard(answered));
}

void SchedulerKey::Finish(Result<std::string> key) {
  if (!key) {
    key = std::unexpected(key.error().Wrap(fmt::format("Secret {}/{}", ns_, kSecretName)));
  }
  const Done done = std::exchange(done_, nullptr);
  done(std::move(key));
}

}  // namespace basalt::scheduler
