// deps: basalt_testing_scheduling basalt_testing_settling
// The same events give the same decisions: a run is recorded, and two processes that differ in all
// that must not matter (addresses, what fresh memory holds) decide the same, byte for byte.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testing/scheduling/chaos.h"
#include "testing/seeds.h"
#include "testing/settling/random_set.h"
#include "tests/seeds/work.h"

namespace basalt::testutil {
namespace {

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// What test_replay prints for the recording, with these variables in its environment.
std::string Replayed(const std::filesystem::path& recording, const std::string& environment) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "test_replay";
  const std::filesystem::path out = recording.string() + ".out";
  const std::string command =
      fmt::format("env {} '{}' '{}' > '{}' 2> '{}.err'", environment, program.string(),
                  recording.string(), out.string(), out.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << ReadAll(out.string() + ".err");
  return ReadAll(out);
}

std::string RequestsIn(const std::string& recording) {
  std::istringstream in(recording);
  std::string requests;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("request ")) requests += line + '\n';
  }
  return requests;
}

TEST(ReplayTest, TheSameEventsGiveTheSameDecisionsInTwoProcesses) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("basalt-replay-{}", getpid());
  std::filesystem::create_directories(folder);
  ForEachSeed(8, [&](std::uint64_t seed) {
    Random random(seed);
    std::ostringstream record;
    {
      ChaosOptions options{.seed = seed,
                           .config = EvictingConfig(seed % 2 == 0 ? "capacity" : "proportion"),
                           .record = &record};
      options.faults = RandomFaults(random);
      ChaosCluster chaos(std::move(options));
      AddWork(chaos);
      chaos.loop().RunFor(20s);
      chaos.Calm();
      EXPECT_TRUE(chaos.RunUntilDone(5min)) << chaos.Unfinished();
    }
    const std::filesystem::path file = folder / fmt::format("{}.recording", seed);
    std::ofstream(file) << record.str();
    const std::string decisions = RequestsIn(record.str());
    EXPECT_NE(decisions.find("/binding"), std::string::npos);
    EXPECT_EQ(Replayed(file, "MALLOC_PERTURB_=90"), decisions);
    EXPECT_EQ(Replayed(file, "MALLOC_PERTURB_=165 MALLOC_MMAP_THRESHOLD_=4096 MALLOC_ARENA_MAX=1"),
              decisions);
  });
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace basalt::testutil
