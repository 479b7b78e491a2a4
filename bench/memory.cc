// deps: basalt_testing
//
// What a large cluster costs in memory: 100,000 pods and 10,000 nodes on the embedded server, and
// an informer of each that follows, all in this one process. Prints the peak resident size and
// fails above the limit.
//   bench_memory [pods] [nodes]

#include <fmt/core.h>
#include <malloc.h>
#include <sys/resource.h>

#include <boost/json/parse.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/server.h"
#include "base/check.h"
#include "bench/flags.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "testing/builders.h"
#include "testing/direct_api_client.h"
#include "testing/direct_network.h"
#include "testing/realistic.h"
#include "testing/sim_loop.h"

namespace {

using namespace basalt;
using namespace std::chrono_literals;

constexpr double kMostMiB = 1536;
constexpr int kBatch = 500;  // writes under way at once

double PeakMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double HeapMiB() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20);
}

class Cluster {
 public:
  Cluster()
      : server_(loop_, {}),
        network_(loop_, server_),
        api_(network_),
        client_(api_),
        pods_(std::in_place, client_, nullptr),
        nodes_(std::in_place, client_, nullptr) {
    pods_->AddIndex(
        "node", [](const kube::Pod& pod) { return std::vector<std::string>{pod.spec.node_name}; });
    pods_->Start();
    nodes_->Start();
    loop_.RunFor(1s);
  }

  // Creates `count` objects, each with a status, as a kubelet and a controller would.
  template <class Make>
  void Fill(const kube::Resource& resource, std::string_view ns, int count, Make make) {
    for (int begin = 0; begin < count; begin += kBatch) {
      for (int i = begin; i < std::min(count, begin + kBatch); ++i) {
        const testutil::RealisticObject object = make(i);
        client_.Create({resource, ns}, object.body, Expect());
        loop_.RunUntilIdle();
        client_.Patch({resource, ns, object.name, "status"}, kube::PatchKind::kMerge,
                      object.status_patch, Expect());
      }
      loop_.RunFor(1s);
    }
  }
  // Creates the owners of `pods` pods and returns their uids.
  std::vector<std::string> CreateOwners(int pods) {
    std::vector<std::string> uids;
    for (int i = 0; i * testutil::kPodsPerOwner < pods; ++i) {
      client_.Create(
          {kube::resources::kReplicaSets, "default"}, testutil::RealisticOwner(i).body,
          [&uids](Result<kube::ApiResponse> result) {
            BASALT_CHECK(result.has_value());
            uids.push_back(testutil::TextAt(boost::json::parse(result->body), "metadata.uid"));
          });
      loop_.RunUntilIdle();
    }
    return uids;
  }
  // Everything has arrived; says what the heap holds, and for whom.
  void Report(std::size_t pods, std::size_t nodes) {
    loop_.RunFor(2min);
    BASALT_CHECK(failed_ == 0);
    BASALT_CHECK(pods_->store().size() == pods && nodes_->store().size() == nodes);
    std::size_t running = 0;
    pods_->store().ForEach([&](const kube::Pod& pod) {
      running += pod.status.phase == kube::PodPhase::kRunning && !pod.meta.deleting();
    });
    BASALT_CHECK(running == pods);
    const double all = HeapMiB();
    pods_.reset();
    nodes_.reset();
    const double server = HeapMiB();
    server_.Compact();
    fmt::print("heap {:.0f} MiB: informers {:.0f}, server {:.0f}, of this history {:.0f}\n", all,
               all - server, server, server - HeapMiB());
  }

 private:
  kube::ApiHandler Expect() {
    return [this](Result<kube::ApiResponse> result) {
      if (result) return;
      if (failed_++ == 0) fmt::print(stderr, "{}\n", result.error().message);
    };
  }

  testutil::SimLoop loop_;
  apiserver::Server server_;
  testutil::DirectNetwork network_;
  testutil::DirectApiClient api_;
  kube::Client client_;
  std::optional<kube::Informer<kube::Pod>> pods_;
  std::optional<kube::Informer<kube::Node>> nodes_;
  int failed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  int pods = 100'000, nodes = 10'000;
  bench::ReadFlags(argc, argv,
                   "What a large cluster costs the embedded server and two informers in memory.",
                   {{"PODS", bench::Number(&pods, 1)}, {"NODES", bench::Number(&nodes, 1)}});
  const auto begin = std::chrono::steady_clock::now();
  Cluster cluster;
  cluster.Fill(kube::resources::kNodes, "", nodes, testutil::RealisticNode);
  const double with_nodes = PeakMiB();
  const std::vector<std::string> owners = cluster.CreateOwners(pods);
  cluster.Fill(kube::resources::kPods, "default", pods, [&](int i) {
    return testutil::RealisticPod(i, nodes, owners[i / testutil::kPodsPerOwner]);
  });
  cluster.Report(static_cast<std::size_t>(pods), static_cast<std::size_t>(nodes));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  fmt::print(
      "{} pods of {} bytes, {} nodes of {} bytes, each created and then given a status\n", pods,
      testutil::RealisticPod(1, nodes).body.size() +
          testutil::RealisticPod(1, nodes).status_patch.size(),
      nodes,
      testutil::RealisticNode(1).body.size() + testutil::RealisticNode(1).status_patch.size());
  fmt::print(
      "peak RSS {:.0f} MiB ({:.0f} MiB with the nodes alone), limit {:.0f} MiB, in {:.1f} s\n",
      PeakMiB(), with_nodes, kMostMiB, took.count());
  return PeakMiB() <= kMostMiB ? 0 : 1;
}
