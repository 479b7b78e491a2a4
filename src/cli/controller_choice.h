#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::cli {

// Which controllers run: "*" for all, a name for that one, "-name" for all but that one; a comma in
// between ("*,-cronjob"). An error names what is unknown.
Result<std::set<std::string, std::less<>>> ChooseControllers(std::string_view text);

// "cronjob, gc, …": for messages.
std::string ControllerNames();

}  // namespace basalt::cli
