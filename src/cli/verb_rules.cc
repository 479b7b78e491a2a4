#include "cli/verb_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/command_line.h"

namespace basalt::cli {
namespace {

// An argument as help has it: "ID".
std::string NameOf(const CLI::Option& option) {
  if (!option.get_positional()) return option.get_name();
  return InCapitals(option.get_name(true));
}

}  // namespace

void VerbRules::Add(const CLI::Option* option, std::vector<std::string> verbs) {
  rules_.push_back({option, std::move(verbs)});
}

std::string VerbRules::Misplaced(std::string_view command, std::string_view verb) const {
  for (const Rule& rule : rules_) {
    if (rule.option->count() == 0 || std::ranges::find(rule.verbs, verb) != rule.verbs.end()) {
      continue;
    }
    const std::vector<std::string> first(rule.verbs.begin(), rule.verbs.end() - 1);
    return fmt::format("{} is for {} {}{}{}", NameOf(*rule.option), command, fmt::join(first, ", "),
                       first.empty() ? "" : " and ", rule.verbs.back());
  }
  return "";
}

}  // namespace basalt::cli
