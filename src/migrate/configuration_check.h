#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "migrate/finding.h"

namespace basalt::migrate {

// What Basalt's scheduler knows.
struct Catalogue {
  std::vector<std::string> actions;
  std::vector<std::string> plugins;
  // Whether a configuration can be in force; an error says why not.
  std::function<Result<void>(const std::string& yaml)> check;
};

// What Basalt makes of the configuration of Volcano's scheduler: all that it would refuse, one by
// one, and where it decides otherwise.
Findings CheckConfiguration(std::string_view yaml, const Catalogue& catalogue);

}  // namespace basalt::migrate
