#pragma once

#include <string>

#include "apiserver/kind.h"

namespace basalt::apiserver {

// What to say to whoever creates an object of a kind that is served but that nothing of Basalt acts
// on; empty for all others.
std::string IdleKindWarning(const KindInfo& kind);

}  // namespace basalt::apiserver
