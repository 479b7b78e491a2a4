#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace basalt::cli {

// A check for CLI11 that takes one of `words` and else names them, and the one that was most likely
// meant. Help and completion read the words from the option's type (command_line.h).
CLI::Validator OneOf(std::vector<std::string> words);

// A check that takes whole numbers from 1 on.
CLI::Validator Positive();

}  // namespace basalt::cli
