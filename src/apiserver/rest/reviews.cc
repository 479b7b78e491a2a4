#include <chrono>

#include "apiserver/object/object.h"
#include "apiserver/rest/call.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/write.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kAuthentication = "authentication.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";
constexpr std::string_view kAudience = "https://kubernetes.default.svc";
constexpr std::int64_t kShortestToken = 600;  // seconds
constexpr std::int64_t kLongestToken = std::int64_t{1} << 32;

KindInfo OnlyPosted(std::string_view group, std::string_view kind, bool namespaced = false) {
  const std::string singular = ToLower(kind);
  return {.group = std::string(group),
          .version = "v1",
          .kind = std::string(kind),
          .plural = singular + "s",
          .singular = singular,
          .namespaced = namespaced,
          .has_status = false};
}

json::object UserInfo(std::string_view user) {
  const bool account = user.starts_with("system:serviceaccount:");
  json::array groups{account ? "system:authenticated" : "system:masters"};
  if (account) groups.push_back("system:serviceaccounts");
  return {{"username", user}, {"groups", std::move(groups)}};
}

// A user with a token may do everything.
json::object AnswerTo(const Call& call, std::string_view kind, const json::object& review) {
  if (kind == "SelfSubjectReview") {
    return {{"userInfo", UserInfo(UserOf(call.core, call.http).value_or("admin"))}};
  }
  if (kind == "TokenReview") {
    const auto user = UserOfToken(call.core, GetString(review, {"spec", "token"}));
    if (!user) return {{"user", json::object()}, {"error", "the token is not known, or has ended"}};
    return {
        {"authenticated", true}, {"user", UserInfo(*user)}, {"audiences", json::array{kAudience}}};
  }
  if (kind == "SelfSubjectRulesReview") {
    const json::array any{"*"};
    const json::object resources{{"verbs", any}, {"apiGroups", any}, {"resources", any}};
    const json::object others{{"verbs", any}, {"nonResourceURLs", any}};
    return {{"resourceRules", json::array{resources}},
            {"nonResourceRules", json::array{others}},
            {"incomplete", false}};
  }
  return {{"allowed", true}};
}

void AnswerReview(const CallPtr& call, const KindInfo& kind) {
  if (call->http.method != "POST") return call->Refuse(refusal::MethodNotAllowed());
  if (kind.kind == "Binding") return HandleBindingCollection(call);
  ApiResult<json::object> asked = DecodeBodyAs(*call, kind);
  if (!asked) return call->Refuse(asked.error());
  Metadata(*asked);  // is there in the answer
  (*asked)["status"] = AnswerTo(*call, kind.kind, *asked);
  call->ReplyJson(201, *asked);
}

}  // namespace

const std::vector<KindInfo>& Reviews() {
  static const auto* const kReviews = new std::vector<KindInfo>{
      OnlyPosted("", "Binding", /*namespaced=*/true),
      OnlyPosted(kAuthentication, "SelfSubjectReview"),
      OnlyPosted(kAuthentication, "TokenReview"),
      OnlyPosted(kAuthorization, "LocalSubjectAccessReview", /*namespaced=*/true),
      OnlyPosted(kAuthorization, "SelfSubjectAccessReview"),
      OnlyPosted(kAuthorization, "SelfSubjectRulesReview"),
      OnlyPosted(kAuthorization, "SubjectAccessReview"),
  };
  return *kReviews;
}

bool ServeReview(const CallPtr& call, std::string_view path) {
  const std::optional<ResourcePath> parsed = ParseResourcePath(path);
  if (!parsed || !parsed->name.empty()) return false;
  for (const KindInfo& kind : Reviews()) {
    if (kind.group == parsed->group && kind.version == parsed->version &&
        kind.plural == parsed->resource && kind.namespaced == parsed->in_namespace) {
      call->path = *parsed;
      AnswerReview(call, kind);
      return true;
    }
  }
  return false;
}

void HandleTokenRequest(const CallPtr& call) {
  static const KindInfo kKind = OnlyPosted(kAuthentication, "TokenRequest");
  ApiResult<json::object> request = DecodeBodyAs(*call, kKind);
  if (!request) return call->Refuse(request.error());
  const StoredPtr stored = call->FindOrRefuse();
  if (stored == nullptr) return;
  json::object& spec = Child(*request, "spec");
  const std::int64_t seconds = GetInt(spec, {"expirationSeconds"}, 3600);
  if (seconds < kShortestToken || seconds > kLongestToken) {
    FieldErrors errors;
    errors.Invalid("spec.expirationSeconds", seconds, "must be between 10 minutes and 2^32 s");
    return call->Refuse(refusal::Invalid(kKind, "", errors));
  }
  spec["expirationSeconds"] = seconds;
  if (ListAt(spec, {"audiences"}).empty()) spec["audiences"] = json::array{kAudience};
  const Time now = call->core.loop.Now();
  const Time expires = now + std::chrono::seconds(seconds);
  json::object& metadata = Metadata(*request);
  metadata["name"] = call->path.name;
  metadata["namespace"] = call->path.ns;
  metadata["creationTimestamp"] = FormatTime(now);
  (*request)["status"] = {
      {"token", IssueToken(call->core, call->kind->Load(*stored), spec.at("audiences"), expires)},
      {"expirationTimestamp", FormatTime(expires)}};
  call->ReplyJson(201, *request);
}

}  // namespace basalt::apiserver
