#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace basalt::cli {

// What `basalt help` and `basalt help COMMAND` print. `program` is the name that it was called by:
// "basalt", "vcctl", "kubectl basalt".
std::string HelpText(const CLI::App& command, std::string_view program);

// A page of the manual (troff with the macros of man).
std::string ManPage(const CLI::App& app);

// `text` broken between words so that no line is longer than `width`; lines but the first begin
// with `indent` spaces.
std::string Wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace basalt::cli
