#pragma once

#include <string>
#include <vector>

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

// Whether the job has pods that may take what a reservation holds.
bool MayUseReservedRoom(const Session& session, const Job& job);

// Pods of the job that wait get the room that reservations hold for them, each that of the oldest
// that has some left; what a reservation holds in the job's own queue counts there already. false:
// none gets any.
bool TakeReservedRoom(Session& session, const Job& job, Statement& statement);

// Whether pods could still use what the reservation's task holds: its node is there, takes it, and
// has the room. What was found once is not looked at again before the node has changed.
bool IsStillUsable(Session& session, const Task& reserved);

// Takes back what the reservation's task holds: it is placed anew.
void GiveUpReservedRoom(Statement& statement, const Task& reserved);

// The reservations but for which the task would fit on a node now, "ns/name" each; none: it does
// not fit without them either, or fits beside them.
std::vector<std::string> ReservationsInTheWay(Session& session, const Task& task);

}  // namespace basalt::scheduler
