#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/core/core.h"

// Bearer tokens: the server's own, which may do everything, and those of service accounts, which
// are signed with it and end. There are no permissions here: whoever is known may do everything.
namespace basalt::apiserver {

struct TokenClaims {
  std::string ns;
  std::string name;
  std::string uid;
  std::vector<std::string> audiences;
  Time expires;
};

// Signed: header, claims and tag, as JSON Web Tokens have it.
std::string IssueToken(const Core& core, const TokenClaims& claims);

// Who a token is ("admin", "system:serviceaccount:NS:NAME"); nothing: nobody.
std::optional<std::string> UserOfToken(const Core& core, std::string_view token);

}  // namespace basalt::apiserver
