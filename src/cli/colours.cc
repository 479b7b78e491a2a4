#include "cli/colours.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace basalt::cli {
namespace {

bool colours_on = false;

constexpr std::array<std::string_view, 9> kGoodWords = {"Running",   "Open",      "Available",
                                                        "Succeeded", "Completed", "Succeed",
                                                        "Active",    "bound",     "Bound"};
constexpr std::array<std::string_view, 14> kWaitingWords = {
    "Pending",   "Inqueue",    "Closing",  "Terminating", "Restarting", "Aborting", "Completing",
    "Scheduled", "Scheduling", "Reserved", "gated",       "enqueue",    "queue",    "pipelined"};
constexpr std::array<std::string_view, 8> kBadWords = {
    "Failed", "Closed", "Unknown", "Aborted", "Terminated", "Expired", "Error", "NotReady"};

std::string_view CodeOf(Colour colour) {
  switch (colour) {
    case Colour::kGood: return "\033[32m";
    case Colour::kWaiting: return "\033[33m";
    case Colour::kBad: return "\033[31m";
    case Colour::kHead: return "\033[1m";
    case Colour::kFaint: return "\033[2m";
  }
  return "";
}

bool IsIn(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

void UseColours(bool on) { colours_on = on; }

void UseColoursOnTerminals() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  UseColours(isatty(STDOUT_FILENO) == 1 && !dumb && (refused == nullptr || *refused == '\0'));
}

std::string Paint(Colour colour, std::string_view text) {
  if (!colours_on || text.empty()) return std::string(text);
  return std::string(CodeOf(colour)) + std::string(text) + "\033[0m";
}

std::string PaintState(std::string_view text) {
  if (IsIn(text, kGoodWords)) return Paint(Colour::kGood, text);
  if (IsIn(text, kWaitingWords)) return Paint(Colour::kWaiting, text);
  if (IsIn(text, kBadWords)) return Paint(Colour::kBad, text);
  return std::string(text);
}

std::size_t TerminalWidth() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace basalt::cli
