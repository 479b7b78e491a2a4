#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "cli/ask_scheduler.h"

namespace basalt::cli {

// What a command shows at this moment, as text in the form that -o asks for.
using Show = std::function<Result<std::string>()>;

// Prints it once or, with --watch, again and again until it is interrupted: of a table the lines
// that are new or changed, of JSON and YAML the whole where it changed. The exit code.
int ShowOrWatch(const AskFlags& flags, const Show& show);

// With --watch the screen is cleared each time: for what is one screen. The exit code.
int ShowOnScreen(const AskFlags& flags, const Show& show);

// The lines of `now` that `before` has not, whatever the width of their columns.
std::string NewLines(const std::string& before, const std::string& now);

// As -o json, yaml or name has it; `table` else. `kind` is what names begin with where the objects
// do not say: "queue".
std::string Formatted(const AskFlags& flags, const boost::json::value& value, std::string_view kind,
                      const std::function<std::string()>& table);

}  // namespace basalt::cli
