#include "apiserver/rest/reviews.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <optional>
#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/tokens.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kAuthentication = "authentication.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";
constexpr std::string_view kAudience = "https://kubernetes.default.svc";
constexpr std::int64_t kShortestToken = 600;  // seconds
constexpr std::int64_t kLongestToken = std::int64_t{1} << 32;

KindInfo MakeReview(std::string_view group, std::string_view kind, bool namespaced = false) {
  const std::string singular = ToLower(kind);
  return {.group = std::string(group),
          .version = "v1",
          .kind = std::string(kind),
          .plural = singular + "s",
          .singular = singular,
          .namespaced = namespaced};
}

json::object UserInfo(std::string_view user) {
  const bool account = user.starts_with("system:serviceaccount:");
  json::array groups;
  if (account) groups.push_back("system:serviceaccounts");
  groups.push_back(account ? "system:authenticated" : "system:masters");
  return {{"username", json::string(user)}, {"groups", std::move(groups)}};
}

std::string UserOf(const Call& call) {
  const std::string* header = net::FindHeader(call.http.headers, "Authorization");
  constexpr std::string_view kScheme = "Bearer ";
  if (header == nullptr || !header->starts_with(kScheme)) return "admin";
  return UserOfToken(call.core, std::string_view(*header).substr(kScheme.size())).value_or("admin");
}

// Who has a token may do everything.
json::object AnswerTo(const Call& call, std::string_view kind, const json::object& review) {
  if (kind == "SelfSubjectReview") return {{"userInfo", UserInfo(UserOf(call))}};
  if (kind == "TokenReview") {
    const auto user = UserOfToken(call.core, GetString(review, {"spec", "token"}));
    if (!user) return {{"user", json::object()}, {"error", "the token is not known, or has ended"}};
    return {{"authenticated", true},
            {"user", UserInfo(*user)},
            {"audiences", json::array{json::string(kAudience)}}};
  }
  if (kind == "SelfSubjectRulesReview") {
    const json::array any{"*"};
    return {
        {"resourceRules",
         json::array{json::object{{"verbs", any}, {"apiGroups", any}, {"resources", any}}}},
        {"nonResourceRules", json::array{json::object{{"verbs", any}, {"nonResourceURLs", any}}}},
        {"incomplete", false}};
  }
  return {{"allowed", true}};
}

}  // namespace

const std::vector<KindInfo>& Reviews() {
  static const auto* const kReviews = new std::vector<KindInfo>{
      MakeReview(kAuthentication, "SelfSubjectReview"),
      MakeReview(kAuthentication, "TokenReview"),
      MakeReview(kAuthorization, "LocalSubjectAccessReview", /*namespaced=*/true),
      MakeReview(kAuthorization, "SelfSubjectAccessReview"),
      MakeReview(kAuthorization, "SelfSubjectRulesReview"),
      MakeReview(kAuthorization, "SubjectAccessReview"),
  };
  return *kReviews;
}

bool ServeReview(Call& call, std::string_view path) {
  const std::optional<ResourcePath> parsed = ParseResourcePath(path);
  if (!parsed || !parsed->name.empty()) return false;
  for (const KindInfo& kind : Reviews()) {
    if (kind.group != parsed->group || kind.version != parsed->version ||
        kind.plural != parsed->resource || kind.namespaced != parsed->in_namespace) {
      continue;
    }
    call.path = *parsed;
    if (call.http.method != "POST") {
      call.Refuse(refusal::MethodNotAllowed());
      return true;
    }
    const std::string type =
        fmt::format("{}.{}", kind.group.substr(0, kind.group.find('.')), kind.kind);
    ApiResult<json::object> asked = DecodeBodyAs(call, type, kind);
    if (!asked) {
      call.Refuse(asked.error());
      return true;
    }
    if (!asked->contains("metadata")) (*asked)["metadata"] = json::object();
    (*asked)["status"] = AnswerTo(call, kind.kind, *asked);
    call.ReplyJson(201, ToText(*asked));
    return true;
  }
  return false;
}

void HandleTokenRequest(const CallPtr& call) {
  static const KindInfo kKind{.group = std::string(kAuthentication),
                              .version = "v1",
                              .kind = "TokenRequest",
                              .plural = "tokenrequests"};
  ApiResult<json::object> request = DecodeBodyAs(*call, "authentication.TokenRequest", kKind);
  if (!request) return call->Refuse(request.error());
  const StoredPtr stored = call->FindOrRefuse();
  if (stored == nullptr) return;
  const json::object account = call->kind->Load(*stored);

  json::object& spec = Child(*request, "spec");
  const std::int64_t seconds = GetInt(spec, {"expirationSeconds"}, 3600);
  FieldErrors errors;
  if (seconds < kShortestToken) {
    errors.Invalid("spec.expirationSeconds", seconds,
                   "may not specify a duration less than 10 minutes");
  } else if (seconds > kLongestToken) {
    errors.Invalid("spec.expirationSeconds", seconds,
                   "may not specify a duration larger than 2^32 seconds");
  }
  if (!errors.empty()) return call->Refuse(refusal::Invalid(kKind, "", errors));
  spec["expirationSeconds"] = seconds;
  const json::array* asked = FindArray(spec, {"audiences"});
  if (asked == nullptr || asked->empty()) {
    spec["audiences"] = json::array{json::string(kAudience)};
    asked = FindArray(spec, {"audiences"});
  }
  TokenClaims claims{.ns = call->path.ns,
                     .name = call->path.name,
                     .uid = std::string(Uid(account)),
                     .expires = call->core.loop.Now() + std::chrono::seconds(seconds)};
  for (const json::value& audience : *asked) claims.audiences.emplace_back(AsText(audience));
  json::object& metadata = Metadata(*request);
  metadata["name"] = call->path.name;
  metadata["namespace"] = call->path.ns;
  metadata["creationTimestamp"] = FormatTime(call->core.loop.Now());
  (*request)["status"] = json::object{{"token", IssueToken(call->core, claims)},
                                      {"expirationTimestamp", FormatTime(claims.expires)}};
  call->ReplyJson(201, ToText(*request));
}

}  // namespace basalt::apiserver
