// deps: basalt_kube_types
//
// How fast a list of pods is decoded, and how much memory the pods take. Prints JSON.
//   bench_codec [PODS] [ROUNDS]

#include "kube/types/codec.h"

#include <fmt/core.h>
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "bench/flags.h"
#include "bench/sample_pods.h"
#include "kube/types/pod.h"

namespace {

using basalt::Result;
using basalt::kube::Pod;

// Processor time, so that other work on the machine counts little.
double Seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// The best of `rounds`, in MB/s.
double Throughput(const std::vector<std::string>& pages, int rounds) {
  double best = 0;
  std::size_t bytes = 0;
  for (const std::string& page : pages) bytes += page.size();
  for (int round = 0; round < rounds; ++round) {
    std::vector<Pod> pods;
    pods.reserve(20'000);
    const double start = Seconds();
    for (const std::string& page : pages) {
      const auto list = basalt::kube::DecodeList<Pod>(page, [&](Result<Pod>&& pod) {
        if (!pod) std::abort();
        pods.push_back(*std::move(pod));
      });
      if (!list) std::abort();
    }
    best = std::max(best, static_cast<double>(bytes) / 1e6 / (Seconds() - start));
  }
  return best;
}

std::size_t HeapInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 10'000, rounds = 10;
  basalt::bench::ReadFlags(
      argc, argv, "How fast a list of pods is decoded, and what memory the pods take.",
      {{"PODS", basalt::bench::Number(&count, 1)}, {"ROUNDS", basalt::bench::Number(&rounds, 1)}});
  constexpr int kPage = 500;

  const std::string whole = basalt::SamplePodList(count);
  // The same in pages, as the informer reads them.
  const std::vector<std::string> pages(static_cast<std::size_t>((count + kPage - 1) / kPage),
                                       basalt::SamplePodList(kPage));
  const double paged = Throughput(pages, rounds);
  const double at_once = Throughput({whole}, rounds);

  const std::size_t before = HeapInUse();
  std::vector<Pod> pods;
  pods.reserve(static_cast<std::size_t>(count));
  (void)basalt::kube::DecodeList<Pod>(whole, [&](Result<Pod>&& pod) { pods.push_back(*pod); });
  const std::size_t held = HeapInUse() - before;

  fmt::print(
      "{{\"pods\": {}, \"json_bytes_per_pod\": {}, \"list_mb_per_s\": {:.0f}, "
      "\"pages_mb_per_s\": {:.0f}, \"memory_bytes_per_pod\": {}, \"sizeof_pod\": {}}}\n",
      count, whole.size() / static_cast<std::size_t>(count), at_once, paged,
      held / static_cast<std::size_t>(count), sizeof(Pod));
  return 0;
}
