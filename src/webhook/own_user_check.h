#pragma once

#include <string>
#include <vector>

#include "base/loop.h"
#include "kube/client/client.h"

namespace basalt::webhook {

// Asks the API server once who we are, and warns where what we write is not left out of admission:
// the other roles, which often run as the same user, would then be refused Basalt's own kinds while
// the webhook is away. Owned by the Webhook; loop thread only.
class OwnUserCheck {
 public:
  OwnUserCheck(kube::Client& client, std::vector<std::string> own_users)
      : client_(client), own_users_(std::move(own_users)) {}

  void Start();
  // The user that was warned of; "": none.
  const std::string& looked_at() const { return looked_at_; }

 private:
  void OnAnswer(const Result<kube::ApiResponse>& answer);

  kube::Client& client_;
  std::vector<std::string> own_users_;
  std::string looked_at_;
  Scope scope_;
};

}  // namespace basalt::webhook
