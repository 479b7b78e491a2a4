#pragma once

#include <string>
#include <string_view>

// The names of plans, and whose they are. Several deschedulers may share a cluster (contract C8,
// W1): each looks after its own migrations alone, also after a restart, and also where a tenant
// writes labels that look like another's.
namespace basalt::descheduler {

// On the reservation of a move: the plan, the uid of the pod, the descheduler (its lock namespace).
inline constexpr std::string_view kMigrationLabel = "basalt.sh/migration";
inline constexpr std::string_view kMigratingPodLabel = "basalt.sh/migrating-pod";
inline constexpr std::string_view kDeschedulerLabel = "basalt.sh/descheduler";
// The key of the taint on a source; its value is the plan.
inline constexpr std::string_view kSourceTaint = "basalt.sh/defragmentation";

// A plan of the descheduler with this lock namespace; `random`: letters and digits that no other
// plan has.
std::string PlanId(std::string_view descheduler, std::string_view random);
// Whether it made the plan.
bool IsPlanOf(std::string_view descheduler, std::string_view plan);
// Whether the name is one that a descheduler gives, whichever.
bool LooksLikePlan(std::string_view plan);

}  // namespace basalt::descheduler
