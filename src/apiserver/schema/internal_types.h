#pragma once

#include <string_view>

namespace basalt::apiserver {

// The table behind internal_form.h.
std::string_view InternalTypes();

}  // namespace basalt::apiserver
