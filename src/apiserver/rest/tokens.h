#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/core/core.h"
#include "net/http.h"

// Bearer tokens: the server's own, which may do everything, and those of service accounts, which
// are signed with it and end. There are no permissions here: whoever is known may do everything.
namespace basalt::apiserver {

// A service account's token: header, claims and tag, as JSON Web Tokens have it. Clients read them.
std::string IssueToken(const Core& core, const json::object& account, const json::value& audiences,
                       Time expires);

// Who a token is ("admin", "system:serviceaccount:NS:NAME"); nothing: nobody.
std::optional<std::string> UserOfToken(const Core& core, std::string_view token);
// Who sends a request. Without a token of the server's own everybody is the admin.
std::optional<std::string> UserOf(const Core& core, const net::HttpRequest& request);

}  // namespace basalt::apiserver
