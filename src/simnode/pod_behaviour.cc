#include "simnode/pod_behaviour.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "kube/types/time.h"

namespace basalt::simnode {
namespace {

// 100 years: sums of such times do not overflow.
constexpr Duration kMost = 24h * 365 * 100;
constexpr double kMostSeconds = 100.0 * 365 * 24 * 3600;

// A decimal number at the start of `text`, which loses it. Nothing: there is none.
std::optional<double> TakeNumber(std::string_view& text) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string_view digits = text.substr(0, end);
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                             std::chars_format::fixed);
  if (error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  text.remove_prefix(digits.size());
  return value;
}

// Rounded to a nanosecond: 0.3s is 300ms.
Duration Seconds(double seconds) {
  return Duration(static_cast<Duration::rep>(seconds * 1e9 + 0.5));
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t\n");
    if (start == std::string_view::npos) return words;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string_view BaseName(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

bool IsShell(std::string_view program) {
  const std::string_view name = BaseName(program);
  return name == "sh" || name == "bash" || name == "ash" || name == "dash";
}

// sleep(1) adds its arguments up, each with an optional suffix.
std::optional<Duration> SleepOfWords(const std::vector<std::string_view>& words) {
  if (words.size() < 2 || BaseName(words[0]) != "sleep") return std::nullopt;
  double seconds = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string_view rest = words[i];
    const auto number = TakeNumber(rest);
    if (!number) return std::nullopt;
    if (rest.empty() || rest == "s") {
      seconds += *number;
    } else if (rest == "m") {
      seconds += *number * 60;
    } else if (rest == "h") {
      seconds += *number * 3600;
    } else if (rest == "d") {
      seconds += *number * 86400;
    } else {
      return std::nullopt;
    }
  }
  if (seconds > kMostSeconds) return std::nullopt;
  return Seconds(seconds);
}

class Reader {
 public:
  Reader(const kube::StringMap& annotations, PodBehaviour& behaviour)
      : annotations_(annotations), behaviour_(behaviour) {}

  std::optional<Duration> ReadDuration(std::string_view name) {
    const auto value = annotations_.Find(name);
    if (!value) return std::nullopt;
    const auto duration = kube::ParseDuration(*value);
    if (duration && *duration >= 0s && *duration <= kMost) return *duration;
    Complain(name, *value, "want a duration such as 90s, 1m30s or 250ms");
    return std::nullopt;
  }

  std::optional<int> ReadExitCode() {
    const auto value = annotations_.Find(kExitCodeAnnotation);
    if (!value) return std::nullopt;
    int code = 0;
    const char* end = value->data() + value->size();
    const auto [stop, error] = std::from_chars(value->data(), end, code);
    if (error == std::errc() && stop == end && code >= 0 && code <= 255) return code;
    Complain(kExitCodeAnnotation, *value, "want a whole number from 0 to 255");
    return std::nullopt;
  }

 private:
  void Complain(std::string_view name, std::string_view value, std::string_view why) {
    behaviour_.problems.push_back(
        fmt::format("annotation {}: \"{}\": {}; using the default", name, value, why));
  }

  const kube::StringMap& annotations_;
  PodBehaviour& behaviour_;
};

}  // namespace

std::optional<Duration> SleepOf(const kube::Container& container) {
  std::vector<std::string_view> words(container.command.begin(), container.command.end());
  words.insert(words.end(), container.args.begin(), container.args.end());
  if (words.size() == 3 && IsShell(words[0]) && words[1] == "-c") {
    std::vector<std::string_view> script = Words(words[2]);
    if (!script.empty() && script[0] == "exec") script.erase(script.begin());
    return SleepOfWords(script);
  }
  return SleepOfWords(words);
}

PodBehaviour ReadBehaviour(const kube::StringMap& annotations, const kube::PodSpec& spec) {
  PodBehaviour behaviour;
  Reader reader(annotations, behaviour);
  behaviour.start_delay = reader.ReadDuration(kStartDelayAnnotation).value_or(0s);
  for (const kube::Container& container : spec.init_containers) {
    if (!container.restart_always) behaviour.start_delay += SleepOf(container).value_or(0s);
  }
  behaviour.run_duration = reader.ReadDuration(kRunDurationAnnotation);
  behaviour.exit_code = reader.ReadExitCode().value_or(0);
  behaviour.termination = reader.ReadDuration(kTerminationAnnotation);
  if (!behaviour.run_duration && !spec.containers.empty()) {
    Duration longest{0};
    for (const kube::Container& container : spec.containers) {
      const auto sleep = SleepOf(container);
      if (!sleep) return behaviour;
      longest = std::max(longest, *sleep);
    }
    behaviour.run_duration = longest;
  }
  return behaviour;
}

}  // namespace basalt::simnode
