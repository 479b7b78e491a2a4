#pragma once

#include <cmath>

namespace basalt::model {

// Sums of amounts that items enter and leave must come back bit for bit, whatever Kubernetes takes
// for a quantity (up to 2^63 thousandths). Doubles do that for whole numbers below 2^53. Sums
// therefore stay in doubles while what enters and what comes out is below kExactLimit, and go over
// to 128-bit integers for good when something larger enters; what is read is always the exact sum,
// rounded to a double.
__extension__ using Int128 = __int128;

// Four amounts below it add up to no more than 2^53.
inline constexpr double kExactLimit = 0x1p51;

inline bool IsExact(double amount) { return std::fabs(amount) < kExactLimit; }

}  // namespace basalt::model
