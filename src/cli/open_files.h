#pragma once

namespace basalt::cli {

// Lets the process have as many open files as it may at all: each connection is one, and shells
// begin with a thousand.
void RaiseOpenFileLimit();

}  // namespace basalt::cli
