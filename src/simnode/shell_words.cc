#include "simnode/shell_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"

namespace basalt::simnode {
namespace {

constexpr std::size_t kMostScript = 64 * 1024;

constexpr std::array<std::string_view, 17> kKeywords{
    "if",   "then", "elif", "else", "fi",       "for", "while", "until", "do",
    "done", "case", "esac", "in",   "function", "{",   "}",     "!"};

bool IsAssignment(std::string_view word) {
  const std::size_t sign = word.find('=');
  if (sign == 0 || sign == std::string_view::npos || IsDigit(word[0])) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(sign), [](char c) {
    return IsDigit(c) || c == '_' || (ToLower(c) >= 'a' && ToLower(c) <= 'z');
  });
}

class ScriptReader {
 public:
  explicit ScriptReader(std::string_view script) : rest_(script) {}

  std::optional<std::vector<ShellPipeline>> Read() {
    while (!rest_.empty()) {
      if (!ReadNext()) return std::nullopt;
    }
    if (!EndPipeline(ShellPipeline::After::kAlways)) return std::nullopt;
    // A script must not end with && or ||.
    if (pending_ != ShellPipeline::After::kAlways) return std::nullopt;
    return std::move(pipelines_);
  }

 private:
  bool ReadNext() {
    const char c = rest_[0];
    if (Take("\\\n") || c == ' ' || c == '\t' || c == '\r') {
      EndWord();
      if (c != '\\') rest_.remove_prefix(1);
      return true;
    }
    if (c == '#' && !in_word_) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      return true;
    }
    if (Take("&&")) return EndPipeline(ShellPipeline::After::kSuccess);
    if (Take("||")) return EndPipeline(ShellPipeline::After::kFailure);
    if (Take(";") || Take("\n")) return EndPipeline(ShellPipeline::After::kAlways);
    if (Take("|")) return EndCommand();
    if (c == '>' || c == '<') return ReadRedirection();
    if (c == '&' || c == '(' || c == ')' || c == '`') return false;
    if (c == '\'') return ReadQuoted();
    if (c == '"') return ReadDoubleQuoted();
    if (c == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
    // What stands for another word is no known program; as an argument it may be anything.
    if (rest_.starts_with("$(")) return false;
    in_word_ = true;
    word_ += rest_[0];
    rest_.remove_prefix(1);
    return true;
  }

  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool ReadQuoted() {
    const std::size_t end = rest_.find('\'', 1);
    if (end == std::string_view::npos) return false;
    in_word_ = true;
    word_ += rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool ReadDoubleQuoted() {
    in_word_ = true;
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_[0] != '"') {
      if (rest_[0] == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      word_ += rest_[0];
      rest_.remove_prefix(1);
    }
    return Take("\"");
  }

  // >file, 2>&1, < file: the next word belongs to it.
  bool ReadRedirection() {
    if (std::all_of(word_.begin(), word_.end(), IsDigit)) {
      word_.clear();
      in_word_ = false;
    }
    EndWord();
    rest_.remove_prefix(std::min(rest_.find_first_not_of("<>&"), rest_.size()));
    skip_word_ = true;
    return true;
  }

  void EndWord() {
    if (!in_word_) return;
    in_word_ = false;
    if (!std::exchange(skip_word_, false)) command_.push_back(std::exchange(word_, {}));
    word_.clear();
  }

  bool EndCommand() {
    EndWord();
    const auto program = std::find_if_not(command_.begin(), command_.end(), IsAssignment);
    if (program == command_.end()) {
      // Assignments alone are nothing that takes time.
      const bool any = !command_.empty();
      command_.clear();
      if (any) commands_.push_back({":"});
      return any;
    }
    command_.erase(command_.begin(), program);
    if (std::ranges::find(kKeywords, command_.front()) != kKeywords.end()) return false;
    commands_.push_back(std::exchange(command_, {}));
    return true;
  }

  // `next` says how the following one hangs together with this one.
  bool EndPipeline(ShellPipeline::After next) {
    EndWord();
    if (command_.empty() && commands_.empty()) {
      // Empty lines; but && needs something in front of it, and may be followed by a new line.
      return next == ShellPipeline::After::kAlways;
    }
    if (!EndCommand()) return false;
    pipelines_.push_back({std::exchange(pending_, next), std::exchange(commands_, {})});
    return true;
  }

  std::string_view rest_;
  std::string word_;
  bool in_word_ = false;
  bool skip_word_ = false;
  ShellCommand command_;
  std::vector<ShellCommand> commands_;
  ShellPipeline::After pending_ = ShellPipeline::After::kAlways;
  std::vector<ShellPipeline> pipelines_;
};

}  // namespace

std::optional<std::vector<ShellPipeline>> ParseScript(std::string_view script) {
  if (script.size() > kMostScript) return std::nullopt;
  return ScriptReader(script).Read();
}

}  // namespace basalt::simnode
