// deps: basalt_scheduler_service basalt_testing_replay
// Replays a recording of a scheduler and prints all that it asks for, which must be what it asked
// for then: test_replay FILE.
#include <fmt/core.h>

#include <fstream>

#include "scheduler/service/scheduler_service.h"
#include "testing/replay/replay.h"
#include "testing/test_signer.h"

int main(int argc, char** argv) {
  using namespace basalt;
  if (argc != 2) {
    fmt::print(stderr, "usage: test_replay RECORDING\n");
    return 2;
  }
  std::ifstream in(argv[1]);
  Result<scheduler::Recording> recording = scheduler::Recording::Read(in);
  if (!recording) {
    fmt::print(stderr, "{}: {}\n", argv[1], recording.error().message);
    return 2;
  }
  const std::string config(recording->NoteOf("config"));
  scheduler::Replay replay(*std::move(recording));
  kube::Client client(replay.api());
  scheduler::SchedulerService service(replay.loop(), client,
                                      {.signer = testutil::SharedTestSigner()});
  if (const Result<void> configured = service.Configure(config); !configured) {
    fmt::print(stderr, "{}\n", configured.error().message);
    return 2;
  }
  service.Start();
  const Result<void> same = replay.Run();
  fmt::print("{}", replay.requests());
  if (same) return 0;
  fmt::print(stderr, "{}\n", same.error().message);
  return 1;
}
