#include "cli/status_endpoints.h"

#include <fmt/core.h>

#include "base/log.h"
#include "cli/listen_address.h"

namespace basalt::cli {

Result<std::vector<std::unique_ptr<net::StatusServer>>> ServeStatus(
    AsioLoop& loop, const std::string& listen_address, const std::string& healthz_address,
    const metrics::Registry& registry, const net::StatusSource& source) {
  std::vector<std::unique_ptr<net::StatusServer>> servers;
  const auto serve = [&](const char* flag, const std::string& text) -> Result<void> {
    const auto address = ParseListenAddress(text, "0.0.0.0");
    if (!address) return std::unexpected(address.error().Wrap(flag));
    auto server = net::StatusServer::Create(loop, address->host, address->port, registry, source);
    if (!server) return std::unexpected(server.error().Wrap(flag));
    log::Info("serving /metrics, /healthz and /readyz",
              {{"flag", flag}, {"address", address->host}, {"port", (*server)->port()}});
    servers.push_back(std::move(*server));
    return {};
  };
  if (!listen_address.empty()) {
    if (auto ok = serve("--listen-address", listen_address); !ok) {
      return std::unexpected(ok.error());
    }
  }
  if (!healthz_address.empty() && healthz_address != listen_address) {
    if (auto ok = serve("--healthz-address", healthz_address); !ok) {
      return std::unexpected(ok.error());
    }
  }
  return servers;
}

}  // namespace basalt::cli
