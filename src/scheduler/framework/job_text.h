#pragma once

#include <string>
#include <string_view>

#include "model/job.h"

namespace basalt::scheduler {

// What the job asks for and no policy here knows how to give yet (a hard network topology,
// sub-groups), and what to do about it. "": there is nothing of the kind.
std::string_view NotSupported(const model::Job& job);

// Why a job cannot start whatever room there is: that, or "the group needs 5 pods and has 2".
std::string WhyInvalid(const model::Job& job);

}  // namespace basalt::scheduler
