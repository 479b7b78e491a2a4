#pragma once

#include <string_view>

namespace basalt::simnode {

// What is known of programs by their names alone, without their directory.

// Does something small and succeeds: echo, mkdir, date, …
bool EndsSoonAndWell(std::string_view name);
// A word of the shell itself that takes no time: export, cd, :, …
bool IsShellBuiltin(std::string_view name);
// And no image has a program of that name.
bool IsOnlyInShells(std::string_view name);
// The image is one whose programs are known (busybox), and this is none of them. Of a path only the
// usual directories are judged: anything may be mounted elsewhere.
bool IsMissing(std::string_view program, std::string_view image);

}  // namespace basalt::simnode
