#pragma once

namespace basalt::fuzz {

// Whether the code under test has done, since the last call, something that it had not done before
// in this process: compared at another place, or come closer to equal at a known one. Always false
// in builds without -fsanitize-coverage=trace-cmp (all but the asan preset).
bool TookNewPath();

}  // namespace basalt::fuzz
