#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/status_server.h"

namespace basalt::cli {

// The servers that --listen-address and --healthz-address ask for: none, one, or two; each answers
// every question. ":8080" means every address of the machine, as it does for Volcano.
Result<std::vector<std::unique_ptr<net::StatusServer>>> ServeStatus(
    AsioLoop& loop, const std::string& listen_address, const std::string& healthz_address,
    const metrics::Registry& registry, const net::StatusSource& source);

}  // namespace basalt::cli
