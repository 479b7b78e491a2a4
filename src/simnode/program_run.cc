#include "simnode/program_run.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "simnode/programs.h"
#include "simnode/shell_words.h"

namespace basalt::simnode {
namespace {

constexpr int kNotFound = 127;
constexpr int kStartError = 128;
constexpr double kMostSleepSeconds = 100.0 * 365 * 24 * 3600;

// A decimal number at the start of `text`, which loses it. Nothing: there is none.
std::optional<double> TakeNumber(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  double value = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + end, value, std::chars_format::fixed);
  if (error != std::errc() || stop != text.data() + end) return std::nullopt;
  text.remove_prefix(end);
  return value;
}

// Rounded to a nanosecond: 0.3s is 300ms.
Duration Seconds(double seconds) {
  return Duration(static_cast<Duration::rep>(seconds * 1e9 + 0.5));
}

std::string_view BaseName(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

ProgramRun EndsAtOnce(int exit_code) { return {.duration = Duration(0), .exit_code = exit_code}; }

// sleep(1) adds its arguments up, each with an optional suffix.
std::optional<ProgramRun> Sleep(const ShellCommand& words) {
  if (words.size() < 2) return EndsAtOnce(1);  // "missing operand"
  double seconds = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string_view rest = words[i];
    if (rest == "infinity" || rest == "inf") return ProgramRun{};
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
  if (seconds > kMostSleepSeconds) return ProgramRun{};
  return ProgramRun{.duration = Seconds(seconds)};
}

bool Has(const ShellCommand& words, std::string_view option) {
  return std::ranges::find(words, option) != words.end();
}

// How a program runs, by its name, in a script or alone. Nothing: that is not known.
std::optional<ProgramRun> RunProgram(const ShellCommand& words) {
  const std::string_view name = BaseName(words[0]);
  if (name == "sleep") return Sleep(words);
  if (name == "false") return EndsAtOnce(1);
  if (name == "tail" && (Has(words, "-f") || Has(words, "-F"))) return ProgramRun{};
  if (name == "sshd") return Has(words, "-D") ? ProgramRun{} : EndsAtOnce(0);
  if (EndsSoonAndWell(name)) return EndsAtOnce(0);
  return std::nullopt;
}

// A script, from its first command to the one that ends it.
class ScriptRun {
 public:
  ScriptRun(std::string_view image, bool stop_at_failure)
      : image_(image), stop_at_failure_(stop_at_failure) {}

  std::optional<ProgramRun> Run(const std::vector<ShellPipeline>& script) {
    using After = ShellPipeline::After;
    for (std::size_t i = 0; i < script.size(); ++i) {
      const After after = script[i].after;
      if ((after == After::kSuccess && status_ != 0) ||
          (after == After::kFailure && status_ == 0)) {
        continue;
      }
      if (!RunPipeline(script[i])) return std::nullopt;
      if (for_ever_) return ProgramRun{};
      const bool last_of_list = i + 1 == script.size() || script[i + 1].after == After::kAlways;
      if (ended_ || (stop_at_failure_ && status_ != 0 && last_of_list)) break;
    }
    return ProgramRun{.duration = elapsed_, .exit_code = status_};
  }

 private:
  // All run at the same time; the last one's end counts.
  bool RunPipeline(const ShellPipeline& pipeline) {
    Duration longest{0};
    const bool alone = pipeline.commands.size() == 1;
    for (const ShellCommand& command : pipeline.commands) {
      const auto run = RunCommand(command, alone);
      if (!run) return false;
      if (!run->duration) for_ever_ = true;
      longest = std::max(longest, run->duration.value_or(Duration(0)));
      status_ = run->exit_code;
    }
    elapsed_ = std::min<Duration>(elapsed_ + longest, Seconds(kMostSleepSeconds));
    return true;
  }

  std::optional<ProgramRun> RunCommand(const ShellCommand& words, bool alone) {
    const std::string& name = words[0];
    if (name == "exit") return Exit(words, alone);
    if (name == "set") {
      for (std::size_t i = 1; i < words.size(); ++i) {
        const bool short_form =
            words[i].starts_with('-') && words[i].find('e') != std::string::npos;
        if (short_form || words[i] == "errexit") stop_at_failure_ = true;
      }
      return EndsAtOnce(0);
    }
    if (name == "exec" && words.size() > 1) {
      if (alone) ended_ = true;
      return RunCommand({words.begin() + 1, words.end()}, alone);
    }
    if (IsShellBuiltin(name)) return EndsAtOnce(0);
    if (IsMissing(name, image_)) return EndsAtOnce(kNotFound);
    return RunProgram(words);
  }

  std::optional<ProgramRun> Exit(const ShellCommand& words, bool alone) {
    if (alone) ended_ = true;
    if (words.size() == 1) return EndsAtOnce(status_);
    unsigned code = 0;
    const std::string& text = words[1];
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return EndsAtOnce(static_cast<int>(code % 256));
  }

  const std::string_view image_;
  bool stop_at_failure_;
  bool ended_ = false;
  bool for_ever_ = false;
  int status_ = 0;
  Duration elapsed_{0};
};

struct ShellCall {
  std::string_view script;
  bool stop_at_failure = false;
};

// `sh -c SCRIPT`, also `bash -ec`, `sh -x -c`.
std::optional<ShellCall> AsShellCall(const ShellCommand& words) {
  const std::string_view name = BaseName(words[0]);
  if (name != "sh" && name != "bash" && name != "ash" && name != "dash") return std::nullopt;
  ShellCall call;
  for (std::size_t i = 1; i + 1 < words.size() && words[i].starts_with('-'); ++i) {
    const std::string_view flags = std::string_view(words[i]).substr(1);
    if (flags.starts_with('-')) continue;
    if (flags.find('e') != std::string_view::npos) call.stop_at_failure = true;
    if (flags.find('c') == std::string_view::npos) continue;
    call.script = words[i + 1];
    return call;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ProgramRun> RunOf(const kube::Container& container) {
  ShellCommand words = container.command;
  words.insert(words.end(), container.args.begin(), container.args.end());
  if (words.empty() || words[0].empty()) return std::nullopt;  // the image's own
  if (const auto call = AsShellCall(words)) {
    const auto script = ParseScript(call->script);
    if (!script) return std::nullopt;
    return ScriptRun(container.image, call->stop_at_failure).Run(*script);
  }
  if (container.command.empty()) {
    // Arguments for an entry point that is not known, but `args: [sleep, "5"]` is what people
    // write, and busybox and its like have none.
    return RunProgram(words);
  }
  if (IsOnlyInShells(words[0]) || IsMissing(words[0], container.image)) {
    return ProgramRun{.duration = Duration(0), .exit_code = kStartError, .cannot_start = true};
  }
  return RunProgram(words);
}

}  // namespace basalt::simnode
