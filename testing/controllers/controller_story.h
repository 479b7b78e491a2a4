#pragma once

#include <string>
#include <string_view>

#include "testing/stories/story_files.h"

// Objects and what happens to them, and what controllers write then, on virtual time:
//
//   # A job's pods are made when its group has been let in
//   controllers job
//   make
//   | {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: train}, spec: …}
//   => PATCH jobs/train/status /status {"state":{"phase":"Pending"}}
//   => POST podgroups/train-UID {"minMember":1}
//   groups Inqueue
//   => POST pods/train-w-0
//
// Lines: "controllers NAME…" those that run, first of all; "make" objects, which stand below it
// behind "| ", with their status; "change KIND NAME PATCH" and "status KIND NAME STATUS" as a user
// or another role would; "delete KIND NAME"; "pod NAME PHASE [EXIT CODE] [RESTARTS]" as a kubelet
// would; "groups PHASE [MORE]" of all groups, MORE being further fields of their status; "command
// ACTION KIND NAME"; "kill" and "start" the controllers; "+10s" lets time pass. "=>": what they
// have written since the last such line, two seconds later: verb, place and what is changed there;
// of what is made the spec of groups and queues alone; "says REASON: MESSAGE" for an event.
namespace basalt::testutil {

// The story with what is written in place of what was expected.
std::string TellOfControllers(std::string_view story);

}  // namespace basalt::testutil

// In one _test.cc of a folder.
#define BASALT_CONTROLLER_STORIES                         \
  [[maybe_unused]] static const bool kControllerStories = \
      ::basalt::testutil::RegisterStories(__FILE__, ::basalt::testutil::TellOfControllers)
