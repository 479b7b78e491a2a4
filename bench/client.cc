// deps: basalt_kube_client
// The client's cost of small writes: HttpApiClient posts bindings over TLS to a server in another
// thread. Only the client thread's CPU time counts.
#include "kube/client/client.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <time.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "base/asio_loop.h"
#include "base/check.h"
#include "kube/client/http_api_client.h"
#include "net/http_server.h"
#include "net/tls.h"

namespace basalt {
namespace {

// As an API server answers a binding.
constexpr std::string_view kAnswer =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})";

class ServerThread {
 public:
  explicit ServerThread(const net::CertificateAndKey& identity) {
    std::promise<std::uint16_t> listening;
    thread_ = std::thread([&] {
      net::HttpServerOptions options;
      options.tls = identity;
      auto server = net::HttpServer::Create(
          loop_, options, [](net::HttpRequest, std::shared_ptr<net::HttpExchange> exchange) {
            exchange->Respond(
                {.status = 201,
                 .headers = {{"Audit-Id", "0b1e7c3c-2a53-4d3f-a9b5-0a3c8c1b2d11"},
                             {"Cache-Control", "no-cache, private"},
                             {"X-Kubernetes-Pf-Flowschema-Uid",
                              "0b1e7c3c-2a53-4d3f-a9b5-0a3c8c1b2"},
                             {"X-Kubernetes-Pf-Prioritylevel-Uid", "0b1e7c3c-2a53-4d3f-a9b5-0a3"}},
                 .body = std::string(kAnswer)});
          });
      BASALT_CHECK(server.has_value());
      listening.set_value((*server)->port());
      loop_.Run();
    });
    port_ = listening.get_future().get();
  }
  ~ServerThread() {
    loop_.Stop();
    thread_.join();
  }
  std::uint16_t port() const { return port_; }

 private:
  AsioLoop loop_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

double ThreadCpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void PostBindings(benchmark::State& state) {
  const Time now = std::chrono::system_clock::now();
  const auto authority = net::MakeCertificateAuthority("bench-ca", now, 24h);
  BASALT_CHECK(authority.has_value());
  const auto identity = net::MakeCertificate(
      *authority, {.common_name = "bench", .ip_addresses = {"127.0.0.1"}, .now = now});
  BASALT_CHECK(identity.has_value());
  ServerThread server(*identity);
  const int requests = 5000;
  double cpu = 0;
  double wall = 0;
  for (auto _ : state) {
    AsioLoop loop;
    auto api =
        kube::HttpApiClient::Create(loop,
                                    {.server = fmt::format("https://127.0.0.1:{}", server.port()),
                                     .tls = {.ca_pem = authority->certificate_pem},
                                     .token = "0123456789abcdef0123456789abcdef"},
                                    {.max_connections = static_cast<int>(state.range(0))});
    BASALT_CHECK(api.has_value());
    kube::Client client(**api);
    int answered = 0;
    const double cpu_before = ThreadCpuSeconds();
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < requests; ++i) {
      const std::string name = fmt::format("pod-{}", i);
      client.Create({kube::resources::kPods, "default", name, "binding"},
                    fmt::format(R"({{"apiVersion":"v1","kind":"Binding","metadata":{{"name":"{}",)"
                                R"("namespace":"default"}},"target":{{"apiVersion":"v1",)"
                                R"("kind":"Node","name":"node-{}"}}}})",
                                name, i % 100),
                    [&](Result<kube::ApiResponse> result) {
                      BASALT_CHECK(result.has_value() && result->status == 201);
                      if (++answered == requests) loop.Stop();
                    });
    }
    loop.Run();
    const double took =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    cpu += ThreadCpuSeconds() - cpu_before;
    wall += took;
    state.SetIterationTime(took);
  }
  const double total = static_cast<double>(state.iterations()) * requests;
  state.counters["client_cpu_us_per_request"] = cpu / total * 1e6;
  state.counters["requests_per_second"] = total / wall;
}
BENCHMARK(PostBindings)->Arg(1)->Arg(8)->Arg(32)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace basalt
