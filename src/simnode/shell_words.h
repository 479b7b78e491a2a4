#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::simnode {

// One program with its arguments, without assignments and redirections in front of and behind it.
using ShellCommand = std::vector<std::string>;

// Programs with pipes in between, and how they hang together with what is in front of them.
struct ShellPipeline {
  enum class After : std::uint8_t {
    kAlways,   // a new line or ;
    kSuccess,  // &&
    kFailure,  // ||
  };
  After after = After::kAlways;
  std::vector<ShellCommand> commands;
};

// A shell script as a list. Nothing: it uses more of the shell than this (loops, functions,
// substitutions in place of a program, background jobs).
std::optional<std::vector<ShellPipeline>> ParseScript(std::string_view script);

}  // namespace basalt::simnode
