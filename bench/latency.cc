// deps: basalt_kube_informer
//
// How long one pod takes from its creation to its node, on an idle embedded cluster: `basalt up`
// as a process, a client that creates one pod after the other and watches, over HTTPS.
//
//   bench_latency [--nodes 1000] [--pods 500] [--gap-ms 20] [--group] --json
//
// --group: each pod has a PodGroup of its own, made before; without it: plain pods.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/asio_loop.h"
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
  bool group = false;
};

// `basalt up`, until it goes out of scope.
class EmbeddedCluster {
 public:
  explicit EmbeddedCluster(int nodes) {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    kubeconfig_ =
        std::filesystem::temp_directory_path() / fmt::format("basalt-bench-latency-{}", getpid());
    const std::string command =
        fmt::format("echo $$; exec '{}' up --nodes {} --log-level warning --kubeconfig '{}'",
                    (folder / "basalt").string(), nodes, kubeconfig_);
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
  Latency(const Flags& flags, AsioLoop& loop, kube::Client& client)
      : flags_(flags),
        loop_(loop),
        client_(client),
        pods_(client, [this](const kube::InformerEvent<kube::Pod>& event) { Seen(event); }),
        next_(loop) {}

  std::vector<double> Run() {
    pods_.Start();
    loop_.Run();
    std::ranges::sort(samples_);
    return samples_;
  }

 private:
  void Seen(const kube::InformerEvent<kube::Pod>& event) {
    if (event.kind == kube::InformerEventKind::kSynced) return Next();
    if (!event.object || event.object->meta.name != name_ || !event.object->bound()) return;
    name_.clear();
    const Duration took = loop_.Monotonic() - created_;
    // The first ones warm connections and code up.
    if (++number_ > kWarmUp) {
      samples_.push_back(std::chrono::duration<double, std::milli>(took).count());
    }
    if (number_ == flags_.pods + kWarmUp) return loop_.Stop();
    next_.Start(flags_.gap_ms * 1ms, [this] { Next(); });
  }

  void Next() {
    const std::string name = fmt::format("pod-{}", number_);
    if (!flags_.group) return Create(name);
    client_.Create(
        {resources::kPodGroups, "default"},
        fmt::format(R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup",)"
                    R"("metadata":{{"name":"{}"}},"spec":{{"minMember":1}}}})",
                    name),
        [this, name](const Result<kube::ApiResponse>& made) {
          if (!made) return GiveUp(made.error());
          next_.Start(flags_.gap_ms * 1ms, [this, name] { Create(name); });
        });
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
    samples_.clear();
    loop_.Stop();
  }

  static constexpr int kWarmUp = 20;

  const Flags& flags_;
  AsioLoop& loop_;
  kube::Client& client_;
  kube::Informer<kube::Pod> pods_;
  Timer next_;
  int number_ = 0;
  std::string name_;
  Duration created_{0};
  std::vector<double> samples_;
};

double Percentile(const std::vector<double>& sorted, double part) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(last * part + 0.5)];
}

int Measure(const Flags& flags) {
  EmbeddedCluster cluster(flags.nodes);
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
  const std::vector<double> samples = Latency(flags, loop, client).Run();
  if (samples.empty()) return 1;
  fmt::print(
      R"({{"nodes":{},"pods":{},"grouped":{},"p50_ms":{:.2f},"p90_ms":{:.2f},"p99_ms":{:.2f},)"
      R"("max_ms":{:.2f}}})"
      "\n",
      flags.nodes, samples.size(), flags.group, Percentile(samples, 0.5), Percentile(samples, 0.9),
      Percentile(samples, 0.99), samples.back());
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  basalt::Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--json") continue;  // it is the only form
    if (flag == "--group") {
      flags.group = true;
      continue;
    }
    int* value = flag == "--nodes"    ? &flags.nodes
                 : flag == "--pods"   ? &flags.pods
                 : flag == "--gap-ms" ? &flags.gap_ms
                                      : nullptr;
    const std::string text = value != nullptr && i + 1 < argc ? argv[++i] : "";
    const auto [end, error] = value == nullptr
                                  ? std::from_chars_result{nullptr, std::errc::invalid_argument}
                                  : std::from_chars(text.data(), text.data() + text.size(), *value);
    if (error != std::errc() || end != text.data() + text.size() || *value < 1) {
      fmt::print(stderr, "{} {}: want --nodes N, --pods N, --gap-ms N, --group, --json\n", flag,
                 text);
      return 2;
    }
  }
  return basalt::Measure(flags);
}
