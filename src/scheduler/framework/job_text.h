#pragma once

#include <string>

#include "model/job.h"

namespace basalt::scheduler {

// Why a gang cannot start whatever room there is: "the group needs 5 pods and has 2".
std::string TooFewPods(const model::Job& job);

}  // namespace basalt::scheduler
