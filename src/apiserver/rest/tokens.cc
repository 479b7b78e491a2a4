#include "apiserver/rest/tokens.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "apiserver/object/base64.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "net/hmac_signer.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kAdmin = "admin";

// In constant time, so that nothing can be guessed piece by piece.
bool SameText(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size() && !expected.empty(); ++i) {
    difference |= static_cast<unsigned char>(given[i] ^ expected[i % expected.size()]);
  }
  return difference == 0;
}

std::int64_t SecondsOf(Time time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

std::string TagOf(const Core& core, std::string_view text) {
  // Another key than the bearer token itself: what is signed must not be a way to ask for it.
  return Base64UrlEncode(
      net::HmacSigner("service-account:" + core.options.bearer_token).Sign(text));
}

}  // namespace

std::string IssueToken(const Core& core, const TokenClaims& claims) {
  const json::object payload{
      {"iss", "https://kubernetes.default.svc"},
      {"sub", fmt::format("system:serviceaccount:{}:{}", claims.ns, claims.name)},
      {"aud", json::array(claims.audiences.begin(), claims.audiences.end())},
      {"iat", SecondsOf(core.loop.Now())},
      {"exp", SecondsOf(claims.expires)},
      {"kubernetes.io",
       json::object{{"namespace", claims.ns},
                    {"serviceaccount", json::object{{"name", claims.name}, {"uid", claims.uid}}}}}};
  const std::string text =
      Base64UrlEncode(R"({"alg":"HS256","typ":"JWT"})") + "." + Base64UrlEncode(ToText(payload));
  return text + "." + TagOf(core, text);
}

std::optional<std::string> UserOfToken(const Core& core, std::string_view token) {
  if (SameText(token, core.options.bearer_token)) return std::string(kAdmin);
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == token.npos || first == last) return std::nullopt;
  if (!SameText(token.substr(last + 1), TagOf(core, token.substr(0, last)))) return std::nullopt;
  const std::optional<std::string> payload =
      Base64UrlDecode(token.substr(first + 1, last - first - 1));
  const Result<json::value> claims = ParseJson(payload.value_or(""));
  if (!claims || !claims->is_object()) return std::nullopt;
  if (GetInt(claims->get_object(), {"exp"}) <= SecondsOf(core.loop.Now())) return std::nullopt;
  // An account that is gone takes its tokens with it.
  const json::object& about = claims->get_object();
  const std::optional<json::object> account =
      core.Get("", "serviceaccounts", GetString(about, {"kubernetes.io", "namespace"}),
               GetString(about, {"kubernetes.io", "serviceaccount", "name"}));
  if (!account || Uid(*account) != GetString(about, {"kubernetes.io", "serviceaccount", "uid"})) {
    return std::nullopt;
  }
  return std::string(GetString(about, {"sub"}));
}

}  // namespace basalt::apiserver
