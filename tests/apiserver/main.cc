// deps: basalt_cli
//
// The embedded API server and nothing else, for comparing it with a real one that has no
// controllers either. usage: test_apiserver KUBECONFIG; writes that file, prints a line that starts
// with "ready" and runs until SIGINT or SIGTERM.
#include <fmt/format.h>

#include <cstdio>

#include "base/asio_loop.h"
#include "cli/api_server_thread.h"
#include "cli/kubeconfig_file.h"
#include "cli/signals.h"
#include "net/random_token.h"
#include "net/tls.h"

namespace basalt {
namespace {

Result<void> Serve(const char* kubeconfig) {
  AsioLoop loop;
  const cli::StopSignals signals(loop, [&loop] { loop.Stop(); });
  const auto authority = net::MakeCertificateAuthority("test-ca", loop.Now(), 24h);
  if (!authority) return std::unexpected(authority.error());
  const auto certificate = net::MakeCertificate(
      *authority,
      {.common_name = "test", .ip_addresses = {"127.0.0.1"}, .now = loop.Now(), .lifetime = 24h});
  if (!certificate) return std::unexpected(certificate.error());
  const std::string token = net::RandomToken();
  const auto server =
      cli::ApiServerThread::Start({.certificate = *certificate, .bearer_token = token});
  if (!server) return std::unexpected(server.error());
  const std::string url = fmt::format("https://127.0.0.1:{}", (*server)->port());
  if (const Result<void> written =
          cli::KubeconfigFile(kubeconfig)
              .Add({.server = url, .ca_pem = authority->certificate_pem, .token = token});
      !written) {
    return written;
  }
  fmt::print("ready {}\n", url);
  std::fflush(stdout);
  loop.Run();
  return {};
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: test_apiserver KUBECONFIG\n");
    return 2;
  }
  const basalt::Result<void> served = basalt::Serve(argv[1]);
  if (!served) fmt::print(stderr, "test_apiserver: {}\n", served.error().message);
  return served ? 0 : 1;
}
