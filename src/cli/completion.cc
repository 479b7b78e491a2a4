#include "cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command_line.h"

namespace basalt::cli {
namespace {

const FlagInfo* FindFlag(const std::vector<FlagInfo>& flags, std::string_view name) {
  const auto it = std::ranges::find_if(flags, [name](const FlagInfo& flag) {
    return std::ranges::find(flag.names, name) != flag.names.end();
  });
  return it == flags.end() ? nullptr : &*it;
}

constexpr std::string_view kBash = R"(# bash completion of basalt: source <(basalt completion bash)
_basalt_complete() {
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null))
}
complete -o bashdefault -o default -F _basalt_complete basalt vcctl
)";
constexpr std::string_view kZsh = R"(#compdef basalt vcctl
# zsh completion of basalt: source <(basalt completion zsh)
_basalt_complete() {
  local -a found
  found=("${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${found[1]}" ]]; then
    compadd -a found
  else
    _files
  fi
}
compdef _basalt_complete basalt vcctl
)";
constexpr std::string_view kFish = R"(# fish completion of basalt: basalt completion fish | source
function __basalt_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c basalt -a '(__basalt_complete)'
complete -c vcctl -a '(__basalt_complete)'
)";

}  // namespace

std::vector<std::string> Candidates(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> all;
  const std::string typed = words.empty() ? "" : words.back();
  const bool first = words.size() <= 1;
  const CLI::App* command = first ? nullptr : FindCommand(app, words[0]);
  if (first || (words.size() == 2 && words[0] == "help")) {
    for (const CLI::App* one : CommandsOf(app)) all.push_back(one->get_name());
  } else if (command != nullptr) {
    const std::vector<FlagInfo> flags = FlagsOf(*command);
    const FlagInfo* before = FindFlag(flags, words[words.size() - 2]);
    if (before != nullptr && !before->value.empty()) {
      all = before->words;
    } else if (typed.starts_with("-")) {
      for (const FlagInfo& flag : flags) {
        for (const std::string& name : flag.names) {
          if (name.starts_with("--")) all.push_back(name);
        }
      }
    } else {
      // Which argument this is: those before it that are no flags and no flag's value.
      std::size_t place = 0;
      for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        const FlagInfo* flag = FindFlag(flags, words[i]);
        if (flag != nullptr && !flag->value.empty()) {
          ++i;
        } else if (!words[i].starts_with("-")) {
          ++place;
        }
      }
      const std::vector<ArgumentInfo> arguments = ArgumentsOf(*command);
      if (place < arguments.size()) all = arguments[place].words;
    }
  }
  std::erase_if(all, [&](const std::string& word) { return !word.starts_with(typed); });
  return all;
}

std::string CompletionScript(std::string_view shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  return shell == "fish" ? std::string(kFish) : "";
}

}  // namespace basalt::cli
