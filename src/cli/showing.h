#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "cli/ask_scheduler.h"
#include "kube/types/resource.h"

namespace basalt::cli {

// What a command shows at this moment, as text in the form that -o asks for.
using Show = std::function<Result<std::string>()>;

// Prints it once or, with --watch, again and again until it is interrupted: of a table the lines
// that are new or changed, of JSON and YAML the whole where it changed. The exit code.
int ShowOrWatch(const AskFlags& flags, const Show& show);

// With --watch the screen is cleared each time: for what is one screen. The exit code.
int ShowOnScreen(const AskFlags& flags, const Show& show);

// The lines of `now` that `before` has not, whatever the width of their columns and the age of what
// they are about.
std::string NewLines(const std::string& before, const std::string& now);

// As -o json, yaml or name has it; `text` else, which is given a copy that is fit to be shown
// (shown_text.h). `kind` is what names begin with where the objects do not say: "queue".
using TextOf = std::function<std::string(const boost::json::value& shown)>;
std::string Formatted(const AskFlags& flags, const boost::json::value& value, std::string_view kind,
                      const TextOf& text);

// Says that an object was made, changed or deleted, by what the server answered: `sentence`, or as
// -o has it; or what was refused. The exit code.
int ReportChange(const AskFlags& flags, const Result<boost::json::value>& answer,
                 const kube::Resource& resource, const std::string& name,
                 const std::string& sentence);

}  // namespace basalt::cli
