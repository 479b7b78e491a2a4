#pragma once

#include <memory>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "net/token_server.h"
#include "scheduler/query/query_handler.h"

namespace basalt::scheduler::query {

// The Secret that says where to ask, and the name in the server's certificate.
inline constexpr std::string_view kSecretName = "basalt-query";
inline constexpr std::string_view kServerName = "basalt-query";

// The server of C10: HTTPS with a certificate and a token that are made anew for each process and
// told in the Secret alone. It listens when this returns, at the host and port that `where` names,
// and lives on the scheduler's loop.
Result<std::unique_ptr<net::TokenServer>> ServeQuestions(AsioLoop& loop,
                                                         net::TokenServerOptions where,
                                                         QuerySources sources);

}  // namespace basalt::scheduler::query
