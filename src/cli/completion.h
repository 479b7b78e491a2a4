#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace basalt::cli {

// What may stand where the last of `words` is being typed (it may be empty); `words` are those
// behind the program's name. Commands, verbs, kinds, flags, and the values of flags that take one
// of some words.
std::vector<std::string> Candidates(const CLI::App& app, const std::vector<std::string>& words);

// A script for bash, zsh or fish that asks `basalt __complete WORDS…`; "" for other shells.
std::string CompletionScript(std::string_view shell);

}  // namespace basalt::cli
