#include "webhook/own_user_check.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "base/log.h"

namespace basalt::webhook {

void OwnUserCheck::Start() {
  client_.Send({.method = "POST",
                .path = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                .body = R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"},
               scope_.Guard([this](const Result<kube::ApiResponse>& answer) { OnAnswer(answer); }));
}

void OwnUserCheck::OnAnswer(const Result<kube::ApiResponse>& answer) {
  if (!answer) return;  // not served, or not allowed: it is no more than a hint
  boost::system::error_code error;
  const boost::json::value review = boost::json::parse(answer->body, error);
  if (error) return;
  const boost::json::value* user = review.find_pointer("/status/userInfo/username", error);
  if (user == nullptr || !user->is_string()) return;
  std::string name(user->get_string());
  if (std::ranges::find(own_users_, name) != own_users_.end()) return;
  looked_at_ = std::move(name);
  log::Warning(
      "what this user writes is refused while the webhook is away; if other roles of Basalt run as "
      "it, name it with --own-user",
      {{"user", looked_at_}});
}

}  // namespace basalt::webhook
