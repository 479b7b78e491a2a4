#include "cli/one_of.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

}  // namespace basalt::cli
