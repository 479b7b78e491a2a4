#include "cli/signals.h"

#include <gtest/gtest.h>

#include <csignal>
#include <optional>

namespace basalt::cli {
namespace {

// What is done about a signal, put back at the end.
class Disposition {
 public:
  Disposition(int signal, void (*handler)(int))
      : signal_(signal), before_(std::signal(signal, handler)) {}
  ~Disposition() { std::signal(signal_, before_); }

 private:
  int signal_;
  void (*before_)(int);
};

TEST(StopSignalsTest, ASignalThatEndsAProcessEndsItInOrder) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const Disposition usual(signal, SIG_DFL);
    AsioLoop loop;
    const StopSignals signals(loop, [&loop] { loop.Stop(); });
    loop.Post([signal] { std::raise(signal); });
    loop.Run();
  }
}

// A closed terminal tells a process itself and by its shell.
TEST(StopSignalsTest, ASecondHangupDoesNotCutTheEndShort) {
  const Disposition usual(SIGHUP, SIG_DFL);
  AsioLoop loop;
  int stops = 0;
  std::optional<StopSignals> second;  // ends the test once both have been told
  const StopSignals signals(loop, [&] {
    ++stops;
    second.emplace(loop, [&loop] { loop.Post([&loop] { loop.Stop(); }); });
    std::raise(SIGHUP);
  });
  loop.Post([] { std::raise(SIGHUP); });
  loop.Run();
  EXPECT_EQ(stops, 1);
}

TEST(StopSignalsTest, UnderNohupAHangupIsStillIgnored) {
  const Disposition nohup(SIGHUP, SIG_IGN);
  AsioLoop loop;
  for (const bool while_it_listens : {true, false}) {
    std::optional<StopSignals> signals;
    if (while_it_listens) signals.emplace(loop, [] {});
    struct sigaction now {};
    sigaction(SIGHUP, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_IGN);
  }
}

}  // namespace
}  // namespace basalt::cli
