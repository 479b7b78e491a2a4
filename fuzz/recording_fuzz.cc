// deps: basalt_testing_replay
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "base/check.h"
#include "testing/replay/replay.h"

// Any text is a recording or is refused, and what a recording says to nobody in particular is
// found out. A line that was read is written as it was.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto entry = basalt::scheduler::ParseEntry(line);
    if (!entry) continue;
    const std::string written = basalt::scheduler::ToLine(*entry);
    const auto again = basalt::scheduler::ParseEntry(written.substr(0, written.size() - 1));
    BASALT_CHECK(again.has_value() && *again == *entry);
    (void)basalt::scheduler::ParseErrorText(entry->text);
    (void)basalt::scheduler::UnquoteText(entry->text);
  }
  std::istringstream in(text);
  auto recording = basalt::scheduler::Recording::Read(in);
  if (!recording) return 0;
  basalt::scheduler::Replay replay(*std::move(recording));
  (void)replay.Run();
  return 0;
}
