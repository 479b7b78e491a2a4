#pragma once

#include "scheduler/framework/action.h"

namespace basalt::scheduler::actions {

// Gives pods the room that reservations hold for them. A job's pods take over what is reserved, and
// the others that it needs are placed beside them like any other, all in one statement: ready →
// commit, promised → commit, else discard, with the reservations untouched. A job that goes on in
// this way needs no vote to enter its queue: what it takes is counted there already.
//
// Before that, what pods could not use any more is given up: its reservation is placed anew.
//
// Counterpart: Volcano's proposal of an action of that name. It takes no arguments.
class Reserve final : public Action {
 public:
  static constexpr std::string_view kName = "reserve";
  static Result<std::unique_ptr<Action>> Make(const Arguments& arguments);

  std::string_view name() const override { return kName; }
  void Run(Session& session) override;
};

}  // namespace basalt::scheduler::actions
