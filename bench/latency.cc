// deps: basalt_kube_informer
//
// How long one pod takes from its creation to its node, on an idle embedded cluster: `basalt up`
// as a process, a client that creates one pod after the other and watches, over HTTPS.
//
//   bench_latency [--nodes 1000] [--pods 500] [--gap-ms 20] [--group] [--scrapers N] [--idle-groups
//   N]
//                 --json
//
// --group: each pod has a PodGroup of its own, made before; without it: plain pods. --scrapers: so
// many clients ask for /metrics in a loop during every other block of 50 pods, and both kinds of
// blocks are reported, with the ratio of their medians. --idle-groups: so many PodGroups without
// pods are there, each with its series in /metrics.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/asio_loop.h"
#include "bench/flags.h"
#include "bench/scrapers.h"
#include "kube/client/client.h"
#include "kube/client/http_api_client.h"
#include "kube/client/kubeconfig.h"
#include "kube/informer/informer.h"
#include "kube/types/pod.h"

namespace basalt {
namespace {

namespace resources = kube::resources;

struct Flags {
  int nodes = 1000;
  int pods = 500;
  int gap_ms = 20;
  int scrapers = 0;
  int idle_groups = 0;
  bool group = false;
};

// `basalt up`, until it goes out of scope.
class EmbeddedCluster {
 public:
  EmbeddedCluster(int nodes, std::uint16_t metrics_port) {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    kubeconfig_ =
        std::filesystem::temp_directory_path() / fmt::format("basalt-bench-latency-{}", getpid());
    const std::string command = fmt::format(
        "echo $$; exec '{}' up --nodes {} --log-level warning --kubeconfig '{}' "
        "--listen-address 127.0.0.1:{}",
        (folder / "basalt").string(), nodes, kubeconfig_, metrics_port);
    pipe_ = popen(command.c_str(), "r");
    pid_ = std::atoi(Line().c_str());
    ready_ = Line().starts_with("ready");
  }
  ~EmbeddedCluster() {
    if (pid_ > 0) kill(pid_, SIGTERM);
    if (pipe_ != nullptr) pclose(pipe_);
    std::filesystem::remove(kubeconfig_);
  }
  bool ready() const { return ready_; }
  const std::string& kubeconfig() const { return kubeconfig_; }

 private:
  std::string Line() {
    char line[1024] = "";
    return pipe_ != nullptr && std::fgets(line, sizeof line, pipe_) != nullptr ? line : "";
  }

  std::string kubeconfig_;
  FILE* pipe_ = nullptr;
  pid_t pid_ = 0;
  bool ready_ = false;
};

class Latency {
 public:
  // In milliseconds, sorted.
  struct Samples {
    std::vector<double> alone, beside_scrapers;
  };

  Latency(const Flags& flags, AsioLoop& loop, kube::Client& client, bench::Scrapers& scrapers)
      : flags_(flags),
        loop_(loop),
        client_(client),
        scrapers_(scrapers),
        pods_(client, [this](const kube::InformerEvent<kube::Pod>& event) { Seen(event); }),
        next_(loop) {}

  Samples Run() {
    pods_.Start();
    loop_.Run();
    std::ranges::sort(samples_.alone);
    std::ranges::sort(samples_.beside_scrapers);
    return samples_;
  }

 private:
  void Seen(const kube::InformerEvent<kube::Pod>& event) {
    if (event.kind == kube::InformerEventKind::kSynced) return MakeIdleGroups();
    if (!event.object || event.object->meta.name != name_ || !event.object->bound()) return;
    name_.clear();
    const Duration took = loop_.Monotonic() - created_;
    // The first ones warm connections and code up.
    if (++number_ > kWarmUp) {
      (scraped_ ? samples_.beside_scrapers : samples_.alone)
          .push_back(std::chrono::duration<double, std::milli>(took).count());
    }
    if (number_ == flags_.pods + kWarmUp) return loop_.Stop();
    if (number_ > kWarmUp && (number_ - kWarmUp) % kBlock == 0 && flags_.scrapers > 0) {
      scraped_ = !scraped_;
      scrapers_.Switch(scraped_);
    }
    next_.Start(flags_.gap_ms * 1ms, [this] { Next(); });
  }

  // One after the other.
  void MakeIdleGroups() {
    if (idle_groups_ == flags_.idle_groups) return Next();
    CreateGroup(fmt::format("idle-{}", idle_groups_++), [this] { MakeIdleGroups(); });
  }

  void CreateGroup(const std::string& name, Callback then) {
    client_.Create(
        {resources::kPodGroups, "default"},
        fmt::format(R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup",)"
                    R"("metadata":{{"name":"{}"}},"spec":{{"minMember":1}}}})",
                    name),
        [this, then = std::move(then)](const Result<kube::ApiResponse>& made) mutable {
          if (!made) return GiveUp(made.error());
          then();
        });
  }

  void Next() {
    const std::string name = fmt::format("pod-{}", number_);
    if (!flags_.group) return Create(name);
    CreateGroup(name,
                [this, name] { next_.Start(flags_.gap_ms * 1ms, [this, name] { Create(name); }); });
  }

  void Create(const std::string& name) {
    name_ = name;
    const std::string group =
        flags_.group
            ? fmt::format(R"(,"annotations":{{"scheduling.k8s.io/group-name":"{}"}})", name)
            : "";
    std::string body =
        fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}"{}}},"spec":{{)"
                    R"("schedulerName":"volcano","containers":[{{"name":"main","image":"bench",)"
                    R"("resources":{{"requests":{{"cpu":"100m","memory":"64Mi"}}}}}}]}}}})",
                    name, group);
    created_ = loop_.Monotonic();
    client_.Create({resources::kPods, "default"}, std::move(body),
                   [this](const Result<kube::ApiResponse>& made) {
                     if (!made) GiveUp(made.error());
                   });
  }

  void GiveUp(const Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    samples_ = {};
    loop_.Stop();
  }

  static constexpr int kWarmUp = 20;
  static constexpr int kBlock = 50;

  const Flags& flags_;
  AsioLoop& loop_;
  kube::Client& client_;
  bench::Scrapers& scrapers_;
  kube::Informer<kube::Pod> pods_;
  Timer next_;
  int idle_groups_ = 0;
  bool scraped_ = false;
  int number_ = 0;
  std::string name_;
  Duration created_{0};
  Samples samples_;
};

double Percentile(const std::vector<double>& sorted, double part) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(last * part + 0.5)];
}

std::string Text(const std::vector<double>& sorted) {
  return fmt::format(R"("p50_ms":{:.2f},"p90_ms":{:.2f},"p99_ms":{:.2f},"max_ms":{:.2f})",
                     Percentile(sorted, 0.5), Percentile(sorted, 0.9), Percentile(sorted, 0.99),
                     sorted.back());
}

int Measure(const Flags& flags) {
  const std::uint16_t metrics_port = bench::FreePort();
  EmbeddedCluster cluster(flags.nodes, metrics_port);
  if (!cluster.ready()) {
    fmt::print(stderr, "basalt up did not get ready; is it built beside this program?\n");
    return 1;
  }
  const auto config = kube::LoadKubeconfig({cluster.kubeconfig()});
  AsioLoop loop;
  auto api = kube::HttpApiClient::Create(loop, *config);
  if (!api) {
    fmt::print(stderr, "{}\n", api.error().message);
    return 1;
  }
  kube::Client client(**api);
  bench::Scrapers scrapers(flags.scrapers, metrics_port);
  const auto [alone, beside_scrapers] = Latency(flags, loop, client, scrapers).Run();
  if (alone.empty()) return 1;
  std::string scraped;
  if (!beside_scrapers.empty()) {
    scraped = fmt::format(
        R"(,"scrapers":{},"scrapes":{},"failed_scrapes":{},"bytes_a_scrape":{},)"
        R"("beside_scrapers":{{{}}},"ratio_p50":{:.3f})",
        flags.scrapers, scrapers.scrapes(), scrapers.failures(),
        scrapers.bytes() / static_cast<std::uint64_t>(std::max(scrapers.scrapes(), 1)),
        Text(beside_scrapers), Percentile(beside_scrapers, 0.5) / Percentile(alone, 0.5));
  }
  fmt::print(R"({{"nodes":{},"pods":{},"grouped":{},{}{}}})"
             "\n",
             flags.nodes, alone.size() + beside_scrapers.size(), flags.group, Text(alone), scraped);
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  using namespace basalt::bench;
  basalt::Flags flags;
  ReadFlags(argc, argv,
            "How long one pod takes from its creation to its node on an idle `basalt up`. --group: "
            "each with a PodGroup of its own.",
            {{"--nodes", Number(&flags.nodes, 1)},
             {"--pods", Number(&flags.pods, 1)},
             {"--gap-ms", Number(&flags.gap_ms, 1)},
             {"--scrapers", Number(&flags.scrapers)},
             {"--idle-groups", Number(&flags.idle_groups)},
             {"--group", Switch(&flags.group)}});
  return basalt::Measure(flags);
}
