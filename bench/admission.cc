// deps: basalt_webhook
// How long an admission request takes, over TLS on loopback, at a steady rate:
//   bench_admission [--rate 500] [--seconds 10] [--connections 16] [--json]
// The webhook's handler has a thread of its own. The load is open: requests start at their times
// whether or not earlier ones are answered, and a request's time counts from when it was due. Nine
// of ten are pods that get an annotation and a gate, the tenth is a PodGroup that is validated.
#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/asio_loop.h"
#include "bench/flags.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "net/tls.h"
#include "webhook/handler.h"

namespace basalt {
namespace {

struct Flags {
  int rate = 500;
  int seconds = 10;
  int connections = 16;
  bool json = false;
};

std::string Review(std::string_view group, std::string_view version, std::string_view resource,
                   std::string_view object) {
  return fmt::format(
      R"({{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"7f0b2891",)"
      R"("resource":{{"group":"{}","version":"{}","resource":"{}"}},"operation":"CREATE",)"
      R"("namespace":"default","name":"p","userInfo":{{"username":"bench"}},"object":{}}}}})",
      group, version, resource, object);
}

// About as large as what a controller creates.
std::string PodReview() {
  std::string containers;
  for (int i = 0; i < 2; ++i) {
    containers += fmt::format(
        R"({}{{"name":"main-{}","image":"registry.example.com/team/training:1.2.3","command":["python",)"
        R"("train.py"],"env":[{{"name":"A","value":"b"}},{{"name":"POD","valueFrom":{{"fieldRef":)"
        R"({{"apiVersion":"v1","fieldPath":"metadata.name"}}}}}}],"resources":{{"requests":)"
        R"({{"cpu":"4","memory":"16Gi","nvidia.com/gpu":"1"}},"limits":{{"nvidia.com/gpu":"1"}}}},)"
        R"("volumeMounts":[{{"name":"data","mountPath":"/data"}}],"terminationMessagePath":)"
        R"("/dev/termination-log","imagePullPolicy":"IfNotPresent"}})",
        i == 0 ? "" : ",", i);
  }
  return Review(
      "", "v1", "pods",
      fmt::format(
          R"({{"metadata":{{"generateName":"train-","namespace":"default","labels":{{"app":"train"}},)"
          R"("annotations":{{"scheduling.volcano.sh/group-min-member":"8",)"
          R"("scheduling.volcano.sh/queue-allocation-gate":"true"}},"ownerReferences":[{{"apiVersion":)"
          R"("batch/v1","kind":"Job","name":"train","uid":"1b2c","controller":true}}]}},"spec":)"
          R"({{"schedulerName":"volcano","restartPolicy":"Never","containers":[{}],"volumes":[{{"name":)"
          R"("data","persistentVolumeClaim":{{"claimName":"data"}}}}],"tolerations":[{{"key":"gpu",)"
          R"("operator":"Exists","effect":"NoSchedule"}}]}},"status":{{}}}})",
          containers));
}

class Server {
 public:
  explicit Server(const net::CertificateAndKey& identity) {
    kube::Namespace ns;
    ns.meta.name = "default";
    ns.meta.annotations = {{"scheduling.volcano.sh/queue-name", "research"}};
    snapshot_.PutNamespace(ns);
    for (int i = 0; i < 100; ++i) {
      auto queue = std::make_shared<kube::Queue>();
      queue->meta.name = fmt::format("queue-{}", i);
      snapshot_.PutQueue(std::move(queue));
    }
    handler_ =
        std::make_unique<webhook::Handler>(loop_, snapshot_, webhook::HandlerOptions{}, &metrics_);
    handler_->SetSynced();
    auto server = net::HttpServer::Create(
        loop_, {.tls = identity},
        [this](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
          handler_->Handle(std::move(request), std::move(exchange));
        });
    if (!server) {
      fmt::print(stderr, "{}\n", server.error().message);
      std::exit(1);
    }
    server_ = std::move(*server);
    thread_ = std::thread([this] { loop_.Run(); });
  }
  ~Server() {
    loop_.Stop();
    thread_.join();
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  AsioLoop loop_;
  webhook::Snapshot snapshot_;
  metrics::Registry metrics_;
  std::unique_ptr<webhook::Handler> handler_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread thread_;
};

class Load {
 public:
  Load(const Flags& flags, std::uint16_t port, const std::string& ca_pem)
      : flags_(flags), total_(flags.rate * flags.seconds), timer_(loop_) {
    auto client =
        net::HttpClient::Create(loop_, {.tls = true, .host = "127.0.0.1", .port = port},
                                {.tls = {.ca_pem = ca_pem}, .max_connections = flags.connections});
    if (!client) {
      fmt::print(stderr, "{}\n", client.error().message);
      std::exit(1);
    }
    client_ = std::move(*client);
  }

  // Milliseconds of each request, in order of size.
  std::vector<double> Run() {
    latencies_.reserve(static_cast<std::size_t>(total_));
    start_ = loop_.Monotonic() + 100ms;
    SendDue();
    loop_.Run();
    std::ranges::sort(latencies_);
    return latencies_;
  }
  int failed() const { return failed_; }

 private:
  Duration DueAt(int number) const { return start_ + Duration(1s) * number / flags_.rate; }

  void SendDue() {
    while (sent_ < total_ && DueAt(sent_) <= loop_.Monotonic()) Send(sent_++);
    if (sent_ < total_) {
      timer_.Start(DueAt(sent_) - loop_.Monotonic(), [this] { SendDue(); });
    }
  }

  void Send(int number) {
    const bool group = number % 10 == 9;
    net::HttpRequest request{
        .method = "POST",
        .target = group ? "/podgroups/validate?timeout=10s" : "/pods/mutate?timeout=2s",
        .headers = {{"Content-Type", "application/json"}},
        .body = group ? group_ : pod_};
    client_->Send(std::move(request), 10s,
                  [this, due = DueAt(number)](const Result<net::HttpResponse>& response) {
                    if (!response || response->status != 200 ||
                        response->body.find("\"allowed\":true") == std::string::npos) {
                      ++failed_;
                    }
                    latencies_.push_back(
                        std::chrono::duration<double, std::milli>(loop_.Monotonic() - due).count());
                    if (static_cast<int>(latencies_.size()) == total_) loop_.Stop();
                  });
  }

  Flags flags_;
  int total_;
  AsioLoop loop_;
  Timer timer_;
  std::unique_ptr<net::HttpClient> client_;
  const std::string pod_ = PodReview();
  const std::string group_ =
      Review("scheduling.volcano.sh", "v1beta1", "podgroups",
             R"({"metadata":{"name":"g"},"spec":{"minMember":4,"queue":"queue-7"}})");
  Duration start_{0};
  int sent_ = 0;
  int failed_ = 0;
  std::vector<double> latencies_;
};

int Main(int argc, char** argv) {
  Flags flags;
  bench::ReadFlags(argc, argv,
                   "How long an admission request takes, over TLS, at a steady rate a second.",
                   {{"--rate", bench::Number(&flags.rate, 1)},
                    {"--seconds", bench::Number(&flags.seconds, 1)},
                    {"--connections", bench::Number(&flags.connections, 1)},
                    {"--json", bench::Switch(&flags.json)}});
  const Time now = AsioLoop().Now();
  const auto authority = net::MakeCertificateAuthority("bench", now, 24h);
  const auto identity = net::MakeCertificate(*authority, {.common_name = "webhook",
                                                          .organizations = {},
                                                          .dns_names = {},
                                                          .ip_addresses = {"127.0.0.1"},
                                                          .now = now,
                                                          .lifetime = 24h});
  Server server(*identity);
  Load load(flags, server.port(), authority->certificate_pem);
  const std::vector<double> latencies = load.Run();
  const auto at = [&](double share) {
    return latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  if (flags.json) {
    fmt::print(
        R"({{"rate":{},"requests":{},"failed":{},"p50_ms":{:.3f},"p90_ms":{:.3f},"p99_ms":{:.3f},)"
        R"("p999_ms":{:.3f},"max_ms":{:.3f}}})"
        "\n",
        flags.rate, latencies.size(), load.failed(), at(0.5), at(0.9), at(0.99), at(0.999), at(1));
  } else {
    fmt::print("{} requests at {} a second, {} failed\n", latencies.size(), flags.rate,
               load.failed());
    fmt::print("p50 {:.3f} ms, p90 {:.3f} ms, p99 {:.3f} ms, p99.9 {:.3f} ms, most {:.3f} ms\n",
               at(0.5), at(0.9), at(0.99), at(0.999), at(1));
  }
  return load.failed() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) { return basalt::Main(argc, argv); }
