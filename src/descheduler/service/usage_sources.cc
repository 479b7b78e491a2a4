#include "descheduler/service/usage_sources.h"

#include <utility>
#include <vector>

#include "base/log.h"
#include "net/http_client.h"
#include "net/url.h"

namespace basalt::descheduler {
namespace {

constexpr Duration kPatience = 10s;
constexpr std::size_t kMostBytes = 64 * 1024 * 1024;

// Several answers that together make a Usage.
struct Gathering {
  Usage usage;
  std::size_t missing = 0;
  std::function<void(Usage)> done;

  void Arrived(const char* what, const Result<void>& result) {
    if (!result) {
      log::Warning("a source of metrics fails; nodes without a figure are left alone",
                   {{"figures", what}, {"error", result.error().message}});
    }
    if (--missing == 0) done(std::move(usage));
  }
};

class PrometheusSource final : public UsageSource {
 public:
  PrometheusSource(std::unique_ptr<net::HttpClient> client, std::string prefix, Duration duration)
      : client_(std::move(client)), prefix_(std::move(prefix)), queries_(QueriesFor(duration)) {}

  void Fetch(std::function<void(Usage)> done) override {
    auto all = std::make_shared<Gathering>();
    all->done = std::move(done);
    all->missing = 4;
    Ask(all, Figure::kNodeCpu, "cpu of nodes", queries_.node_cpu);
    Ask(all, Figure::kNodeMemory, "memory of nodes", queries_.node_memory);
    Ask(all, Figure::kPodCpu, "cpu of pods", queries_.pod_cpu);
    Ask(all, Figure::kPodMemory, "memory of pods", queries_.pod_memory);
  }

 private:
  void Ask(const std::shared_ptr<Gathering>& all, Figure figure, const char* what,
           const std::string& query) {
    net::HttpRequest request{.method = "GET",
                             .target = prefix_ + "/api/v1/query?query=" + net::PercentEncode(query),
                             .headers = {{"Accept", "application/json"}},
                             .body = {}};
    client_->Send(std::move(request), kPatience,
                  scope_.Guard([all, figure, what](const Result<net::HttpResponse>& response) {
                    if (!response) return all->Arrived(what, std::unexpected(response.error()));
                    const auto samples = ReadPrometheusVector(response->body);
                    if (!samples) return all->Arrived(what, std::unexpected(samples.error()));
                    AddSamples(figure, *samples, &all->usage);
                    all->Arrived(what, {});
                  }));
  }

  std::unique_ptr<net::HttpClient> client_;
  std::string prefix_;
  PrometheusQueries queries_;
  Scope scope_;
};

// What an API of the cluster says, by its path.
class ClusterSource final : public UsageSource {
 public:
  using Add = std::function<Result<void>(std::string_view body, Usage* usage)>;
  struct Question {
    const char* what;
    std::string path;
    Add add;
  };
  ClusterSource(kube::Client& client, std::vector<Question> questions)
      : client_(client), questions_(std::move(questions)) {}

  void Fetch(std::function<void(Usage)> done) override {
    auto all = std::make_shared<Gathering>();
    all->done = std::move(done);
    all->missing = questions_.size();
    for (const Question& question : questions_) {
      auto answered = [all, &question](const Result<kube::ApiResponse>& response) {
        if (!response) return all->Arrived(question.what, std::unexpected(response.error()));
        all->Arrived(question.what, question.add(response->body, &all->usage));
      };
      kube::ApiRequest request;
      request.path = question.path;
      client_.Send(std::move(request), scope_.Guard(std::move(answered)),
                   {.deadline = kPatience, .timeout = kPatience});
    }
  }

 private:
  kube::Client& client_;
  std::vector<Question> questions_;
  Scope scope_;
};

Result<std::unique_ptr<UsageSource>> MakePrometheus(AsioLoop& loop, const LoadAwareArgs& args) {
  auto url = net::ParseUrl(args.metrics_address);
  if (!url) return std::unexpected(url.error().Wrap("metrics.address"));
  std::string prefix = url->path.substr(0, url->path.find('?'));
  while (prefix.ends_with('/')) prefix.pop_back();
  url->path.clear();
  net::HttpClientOptions options;
  options.max_connections = 4;
  options.max_response_bytes = kMostBytes;
  auto client = net::HttpClient::Create(loop, std::move(*url), std::move(options));
  if (!client) return std::unexpected(client.error().Wrap("metrics.address"));
  return std::make_unique<PrometheusSource>(std::move(*client), std::move(prefix), args.duration);
}

}  // namespace

Result<std::unique_ptr<UsageSource>> MakeUsageSource(AsioLoop& loop, kube::Client& client,
                                                     const LoadAwareArgs& args,
                                                     AllocatableOf allocatable) {
  if (args.metrics == MetricsType::kPrometheus) return MakePrometheus(loop, args);
  std::vector<ClusterSource::Question> questions;
  if (args.metrics == MetricsType::kMetricsApi) {
    const std::string api = "/apis/metrics.k8s.io/v1beta1/";
    questions.push_back({"nodes", api + "nodes",
                         [allocatable = std::move(allocatable)](std::string_view body, Usage* to) {
                           return AddNodeMetrics(body, allocatable, to);
                         }});
    questions.push_back({"pods", api + "pods", AddPodMetrics});
  } else {
    const std::string api = "/apis/custom.metrics.k8s.io/v1beta2/nodes/*/";
    for (const auto& [name, figure] : {std::pair{"node_cpu_usage_avg", Figure::kNodeCpu},
                                       std::pair{"node_memory_usage_avg", Figure::kNodeMemory}}) {
      questions.push_back({name, api + name, [figure](std::string_view body, Usage* to) {
                             return AddCustomMetrics(body, figure, to);
                           }});
    }
  }
  return std::make_unique<ClusterSource>(client, std::move(questions));
}

}  // namespace basalt::descheduler
