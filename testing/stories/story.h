#pragma once

#include <string>
#include <string_view>

#include "testing/stories/story_files.h"

// A cluster and what happens to it, in words, and what the scheduler decides then:
//
//   # A gang that is one short gets nothing, and all of it once there is room
//   plugins gang predicates
//   queue q
//   node n1 cpu=3
//   group g queue=q min=2
//   pod a of=g cpu=2
//   pod b of=g cpu=2
//   => group g Inqueue, Unschedulable NotEnoughResources: …
//   node n2 cpu=2
//   => bind a n1
//   => bind b n2
//
// Lines: an object by its kind (pod, node, queue, group, class, budget, namespace, quota, claim,
// volume, storage, reservation; see objects.h), "delete KIND NAME", "+10s" lets time pass, "actions
// …" and "plugins …" (tiers apart by "/", arguments as "argument PLUGIN KEY=VALUE", of an action
// too) before the first object, "books" has the ledgers told too, "queues" the queues' status.
// "20x LINE" does the line so often, with the number in place of each "%".
// "=>": what is decided from the last such line on; "=> nothing" where that is nothing.
// Objects are in namespace ns unless they are named "other/name".
namespace basalt::testutil {

// The story with what is decided in place of what was expected.
std::string Tell(std::string_view story);

}  // namespace basalt::testutil

// In one _test.cc of a folder.
#define BASALT_STORIES                          \
  [[maybe_unused]] static const bool kStories = \
      ::basalt::testutil::RegisterStories(__FILE__, ::basalt::testutil::Tell)
