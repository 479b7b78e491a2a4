#include "dashboard/admission.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "kube/types/json_fields.h"
#include "net/token_server.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

constexpr kube::Resource kTokenReviews{"authentication.k8s.io", "v1", "tokenreviews", "TokenReview",
                                       false};
constexpr kube::Resource kAccessReviews{"authorization.k8s.io", "v1", "subjectaccessreviews",
                                        "SubjectAccessReview", false};
constexpr Duration kHolds = 30s;
constexpr std::size_t kMostKnown = 1024;

std::unexpected<Error> NotLetIn() {
  return Fail(ErrorCode::kUnauthorized, "a valid token is needed");
}

class OneToken final : public Admission {
 public:
  explicit OneToken(std::string token) : token_(std::move(token)) {}
  void Admit(const std::string& token, Done done) override {
    const net::HttpRequest request{.headers = {{"Authorization", "Bearer " + token}}};
    if (!net::BearsToken(request, token_)) return done(NotLetIn());
    done(Sight{.person = "you", .everything = true, .may_defragment = true});
  }

 private:
  std::string token_;
};

class Reviewed final : public Admission {
 public:
  Reviewed(kube::Client& client, std::function<std::vector<std::string>()> namespaces)
      : client_(client), namespaces_(std::move(namespaces)) {}

  void Admit(const std::string& token, Done done) override {
    if (token.empty()) return done(NotLetIn());
    const Time now = client_.loop().Now();
    if (const auto known = known_.find(token); known != known_.end() && known->second.until > now) {
      return done(known->second.sight);
    }
    auto& waiting = waiting_[token];
    waiting.push_back(std::move(done));
    if (waiting.size() > 1) return;
    const json::object body{{"apiVersion", "authentication.k8s.io/v1"},
                            {"kind", "TokenReview"},
                            {"spec", {{"token", token}}}};
    client_.Create({kTokenReviews}, json::serialize(body),
                   scope_.Guard([this, token](const Result<kube::ApiResponse>& result) {
                     TokenReviewed(token, result);
                   }));
  }

 private:
  struct Known {
    Sight sight;
    Time until{};
  };
  // A review of one person that is under way.
  struct Question {
    std::string token;
    json::object user;
    Sight sight;
    std::size_t left = 0;
    bool failed = false;
  };

  void End(const std::string& token, const Result<Sight>& sight) {
    if (sight) {
      if (known_.size() >= kMostKnown) known_.clear();
      known_[token] = {.sight = *sight, .until = client_.loop().Now() + kHolds};
    } else {
      known_.erase(token);
    }
    const std::vector<Done> waiting = std::exchange(waiting_[token], {});
    waiting_.erase(token);
    for (const Done& done : waiting) done(sight);
  }

  void TokenReviewed(const std::string& token, const Result<kube::ApiResponse>& result) {
    if (!result) return End(token, std::unexpected(result.error()));
    boost::system::error_code broken;
    const json::value review = json::parse(result->body, broken);
    const json::object* status =
        broken || !review.is_object() ? nullptr : kube::ObjectAt(review.as_object(), {"status"});
    const json::value* yes = status ? status->if_contains("authenticated") : nullptr;
    const json::object* user = status ? kube::ObjectAt(*status, {"user"}) : nullptr;
    if (!yes || !yes->is_bool() || !yes->as_bool() || !user) return End(token, NotLetIn());
    auto question = std::make_shared<Question>();
    question->token = token;
    question->user = *user;
    question->sight.person = kube::TextAt(user, "username");
    question->left = 3;
    Ask(
        question, {{"verb", "list"}, {"resource", "pods"}},
        [question] { question->sight.everything = true; },
        [this, question] { FirstAnswers(question); });
    auto may_reserve = std::make_shared<int>(0);
    const auto one_more = [question, may_reserve] {
      question->sight.may_defragment = ++*may_reserve == 2;
    };
    Ask(question, {{"verb", "create"}, {"resource", "reservations"}, {"group", "batch.volcano.sh"}},
        one_more, [this, question] { FirstAnswers(question); });
    Ask(question, {{"verb", "create"}, {"resource", "pods"}, {"subresource", "eviction"}}, one_more,
        [this, question] { FirstAnswers(question); });
  }

  void FirstAnswers(const std::shared_ptr<Question>& question) {
    if (--question->left > 0) return;
    const std::vector<std::string> namespaces =
        question->sight.everything ? std::vector<std::string>() : namespaces_();
    if (namespaces.empty() && !question->sight.everything) {
      // It is found out with the first overview; "you see nothing" would be believed for a while.
      return End(question->token, Fail(ErrorCode::kUnavailable,
                                       "the scheduler has not said yet what there is: try again"));
    }
    if (namespaces.empty()) return Answered(question);
    question->left = namespaces.size();
    for (const std::string& ns : namespaces) {
      Ask(
          question, {{"verb", "list"}, {"resource", "pods"}, {"namespace", ns}},
          [question, ns] { question->sight.namespaces.insert(ns); },
          [this, question] {
            if (--question->left == 0) Answered(question);
          });
    }
  }

  void Answered(const std::shared_ptr<Question>& question) {
    if (question->failed) {
      return End(question->token, Fail(ErrorCode::kUnavailable,
                                       "the API server does not say what you may see: try again"));
    }
    End(question->token, question->sight);
  }

  // `allowed`, if it is; then `then`.
  void Ask(const std::shared_ptr<Question>& question, json::object attributes,
           std::function<void()> allowed, std::function<void()> then) {
    json::object spec{{"user", kube::TextAt(&question->user, "username")},
                      {"uid", kube::TextAt(&question->user, "uid")},
                      {"resourceAttributes", std::move(attributes)}};
    for (const char* key : {"groups", "extra"}) {
      if (const json::value* value = question->user.if_contains(key)) spec[key] = *value;
    }
    const json::object body{{"apiVersion", "authorization.k8s.io/v1"},
                            {"kind", "SubjectAccessReview"},
                            {"spec", std::move(spec)}};
    client_.Create(
        {kAccessReviews}, json::serialize(body),
        scope_.Guard([question, allowed, then](const Result<kube::ApiResponse>& result) {
          boost::system::error_code broken;
          const json::value review = result ? json::parse(result->body, broken) : json::value();
          const json::object* status =
              review.is_object() ? kube::ObjectAt(review.as_object(), {"status"}) : nullptr;
          const json::value* yes = status ? status->if_contains("allowed") : nullptr;
          if (!yes || !yes->is_bool()) {
            question->failed = true;
          } else if (yes->as_bool()) {
            allowed();
          }
          then();
        }));
  }

  kube::Client& client_;
  std::function<std::vector<std::string>()> namespaces_;
  boost::unordered_flat_map<std::string, Known> known_;
  boost::unordered_flat_map<std::string, std::vector<Done>> waiting_;  // by token
  Scope scope_;
};

}  // namespace

std::unique_ptr<Admission> AdmitByOneToken(std::string token) {
  return std::make_unique<OneToken>(std::move(token));
}

std::unique_ptr<Admission> AdmitByReview(kube::Client& client,
                                         std::function<std::vector<std::string>()> namespaces) {
  return std::make_unique<Reviewed>(client, std::move(namespaces));
}

}  // namespace basalt::dashboard
