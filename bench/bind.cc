// deps: basalt_kube_client
// Binds pods on a real API server and says what that cost this process:
//   bench_bind KUBECONFIG [PODS=5000] [CONNECTIONS=32]
// It makes a namespace, a node and the pods, and leaves them there.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "bench/flags.h"
#include "kube/client/client.h"
#include "kube/client/http_api_client.h"

namespace basalt {
namespace {

using kube::Client;
namespace resources = kube::resources;

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

using Start = std::function<void(Client&, int number, kube::ApiHandler)>;

// A phase has a loop and connections of its own, so that their cost is in its figures.
void RunPhase(const char* name, const kube::ClusterConfig& config, int connections, int count,
              const Start& start) {
  AsioLoop loop;
  auto api = kube::HttpApiClient::Create(loop, config, {.max_connections = connections});
  if (!api) {
    fmt::print(stderr, "{}\n", api.error().message);
    std::exit(1);
  }
  Client client(**api, {.deadline = 10min});
  int left = count;
  int failed = 0;
  std::string first_error;
  const double cpu = CpuSeconds();
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    start(client, i, [&](Result<kube::ApiResponse> result) {
      if (!result && failed++ == 0) first_error = result.error().message;
      if (--left == 0) loop.Stop();
    });
  }
  loop.Run();
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  const double spent = CpuSeconds() - cpu;
  fmt::print(
      "{:7} {:6} requests {:8.3f} s {:7.0f} /s {:7.3f} s CPU {:6.1f} us each, {} failed {}\n", name,
      count, wall, count / wall, spent, spent / count * 1e6, failed, first_error);
}

int Main(int argc, char** argv) {
  std::string kubeconfig;
  int pods = 5000, connections = 32;
  bench::ReadFlags(argc, argv,
                   "Binds pods on a real API server, and says what that cost this process.",
                   {{"KUBECONFIG", bench::Text(&kubeconfig)},
                    {"PODS", bench::Number(&pods, 1)},
                    {"CONNECTIONS", bench::Number(&connections, 1)}});
  const auto config = kube::LoadConfig({.kubeconfig = kubeconfig});
  if (!config) {
    fmt::print(stderr, "{}\n", config.error().message);
    return 1;
  }
  const std::string ns = fmt::format("bind-{}", getpid());

  RunPhase("prepare", *config, 1, 2, [&](Client& client, int number, kube::ApiHandler done) {
    if (number == 0) {
      client.Create({resources::kNamespaces}, fmt::format(R"({{"metadata":{{"name":"{}"}}}})", ns),
                    std::move(done));
    } else {
      client.Create({resources::kNodes}, fmt::format(R"({{"metadata":{{"name":"{}"}}}})", ns),
                    std::move(done));
    }
  });
  RunPhase("create", *config, connections, pods,
           [&](Client& client, int number, kube::ApiHandler done) {
             client.Create({resources::kPods, ns},
                           fmt::format(R"({{"metadata":{{"name":"p{}"}},"spec":{{"containers":[)"
                                       R"({{"name":"c","image":"i"}}]}}}})",
                                       number),
                           std::move(done));
           });
  RunPhase("bind", *config, connections, pods,
           [&](Client& client, int number, kube::ApiHandler done) {
             const std::string name = fmt::format("p{}", number);
             client.Create({resources::kPods, ns, name, "binding"},
                           fmt::format(R"({{"metadata":{{"name":"{}"}},"target":{{"kind":"Node",)"
                                       R"("name":"{}"}}}})",
                                       name, ns),
                           std::move(done));
           });
  RunPhase("list", *config, connections, 1, [&](Client& client, int, kube::ApiHandler done) {
    auto bytes = std::make_shared<std::size_t>(0);
    client.List(
        resources::kPods, ns, {}, [bytes](std::string page) { *bytes += page.size(); },
        [bytes, done = std::move(done)](Result<std::string> version) mutable {
          if (!version) return done(std::unexpected(version.error()));
          fmt::print("        {} bytes at version {}\n", *bytes, *version);
          done(kube::ApiResponse{.status = 200});
        });
  });
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) { return basalt::Main(argc, argv); }
