#include "cli/controller_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/log.h"

namespace basalt::cli {
namespace {

constexpr std::string_view kControllers[] = {"cronjob", "gc",          "hypernode", "job",
                                             "jobflow", "jobtemplate", "podgroup",  "queue"};

// What Volcano's manager calls the others, without "-controller".
std::string_view OurName(std::string_view volcanos) {
  if (volcanos == "pg") return "podgroup";
  if (volcanos == "hyperNode") return "hypernode";
  return volcanos;
}
constexpr std::string_view kVolcanosAlone[] = {"colocation-config", "sharding"};

}  // namespace

std::string ControllerNames() { return fmt::format("{}", fmt::join(kControllers, ", ")); }

Result<std::set<std::string, std::less<>>> ChooseControllers(std::string_view text) {
  std::set<std::string, std::less<>> chosen;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (word == "*") {
      chosen.insert(std::begin(kControllers), std::end(kControllers));
      continue;
    }
    const bool out = word.starts_with('-');
    // Volcano's manager calls them job-controller and so on.
    std::string_view name = word.substr(out ? 1 : 0);
    if (name.ends_with("-controller")) name.remove_suffix(std::string_view("-controller").size());
    if (std::ranges::find(kVolcanosAlone, name) != std::end(kVolcanosAlone)) {
      if (!out) log::Info("this controller of Volcano's is not here", {{"controller", name}});
      continue;
    }
    name = OurName(name);
    if (std::ranges::find(kControllers, name) == std::end(kControllers)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("--controllers: {} is none of {}", word, ControllerNames()));
    }
    if (out) {
      chosen.erase(std::string(name));
    } else {
      chosen.emplace(name);
    }
  }
  return chosen;
}

}  // namespace basalt::cli
