#include "cli/flag_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/nearest.h"

namespace basalt::cli {

CLI::Validator OneOf(std::vector<std::string> words) {
  std::string description = fmt::format("{}", fmt::join(words, "|"));
  return CLI::Validator(
      [words = std::move(words)](const std::string& typed) -> std::string {
        if (std::ranges::find(words, typed) != words.end()) return "";
        const std::string_view nearest = Nearest(typed, words);
        return fmt::format("\"{}\" is not one of {}.{}", typed, fmt::join(words, ", "),
                           nearest.empty() ? "" : fmt::format(" Did you mean {}?", nearest));
      },
      std::move(description));
}

CLI::Validator Positive() {
  return CLI::Validator(
      [](const std::string& typed) -> std::string {
        int number = 0;
        const auto [end, error] =
            std::from_chars(typed.data(), typed.data() + typed.size(), number);
        if (error == std::errc() && end == typed.data() + typed.size() && number >= 1) return "";
        return fmt::format("\"{}\": want a whole number, 1 or more", typed);
      },
      "");
}

}  // namespace basalt::cli
