#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/object/text.h"
#include "apiserver/rest/call.h"
#include "apiserver/rest/request.h"
#include "base/base64.h"
#include "net/hmac_signer.h"

namespace basalt::apiserver {
namespace {

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

// As JSON Web Tokens write bytes.
std::string Base64UrlEncode(std::string_view bytes) {
  std::string text = Base64Encode(bytes);
  std::erase(text, '=');
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::string Base64UrlDecode(std::string_view text) {
  std::string standard(text);
  std::ranges::replace(standard, '-', '+');
  std::ranges::replace(standard, '_', '/');
  standard.append((4 - text.size() % 4) % 4, '=');
  return Base64Decode(standard).value_or("");
}

std::string TagOf(const Core& core, std::string_view text) {
  // Another key than the bearer token itself: what is signed must not be a way to ask for it.
  return Base64UrlEncode(
      net::HmacSigner("service-account:" + core.options.bearer_token).Sign(text));
}

}  // namespace

std::string IssueToken(const Core& core, const json::object& account, const json::value& audiences,
                       Time expires) {
  const json::object payload{
      {"iss", "https://kubernetes.default.svc"},
      {"sub", fmt::format("system:serviceaccount:{}:{}", Namespace(account), Name(account))},
      {"aud", audiences},
      {"iat", SecondsOf(core.loop.Now())},
      {"exp", SecondsOf(expires)},
      {"kubernetes.io",
       {{"namespace", Namespace(account)},
        {"serviceaccount", {{"name", Name(account)}, {"uid", Uid(account)}}}}}};
  const std::string text = Base64UrlEncode(R"({"alg":"HS256","typ":"JWT"})") + "." +
                           Base64UrlEncode(json::serialize(payload));
  return text + "." + TagOf(core, text);
}

std::optional<std::string> UserOfToken(const Core& core, std::string_view token) {
  if (SameText(token, core.options.bearer_token)) return "admin";
  const std::vector<std::string_view> parts = Pieces(token, '.');
  if (parts.size() != 3) return std::nullopt;
  if (!SameText(parts[2], TagOf(core, token.substr(0, token.rfind('.'))))) return std::nullopt;
  const Result<json::value> claims = ParseJson(Base64UrlDecode(parts[1]));
  if (!claims || !claims->is_object()) return std::nullopt;
  const json::object& about = claims->get_object();
  if (GetInt(about, {"exp"}) <= SecondsOf(core.loop.Now())) return std::nullopt;
  // An account that is gone takes its tokens with it.
  const std::string ns(GetString(about, {"kubernetes.io", "namespace"}));
  const std::string name(GetString(about, {"kubernetes.io", "serviceaccount", "name"}));
  const std::optional<json::object> account = core.Get("", "serviceaccounts", ns, name);
  if (!account || Uid(*account) != GetString(about, {"kubernetes.io", "serviceaccount", "uid"})) {
    return std::nullopt;
  }
  return fmt::format("system:serviceaccount:{}:{}", ns, name);
}

std::optional<std::string> UserOf(const Core& core, const net::HttpRequest& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view header = HeaderText(request, "Authorization");
  if (header.starts_with(kScheme)) {
    if (auto user = UserOfToken(core, header.substr(kScheme.size()))) return user;
  }
  if (core.options.bearer_token.empty()) return "admin";
  return std::nullopt;
}

}  // namespace basalt::apiserver
