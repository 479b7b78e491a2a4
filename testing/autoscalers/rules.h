#pragma once

#include "autoscalers/rules.h"

// The autoscalers' rules as the oracle of tests.
namespace basalt::testutil {
using namespace autoscalers;  // NOLINT
}  // namespace basalt::testutil
