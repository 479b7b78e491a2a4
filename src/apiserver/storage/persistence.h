#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apiserver/storage/store.h"
#include "base/loop.h"

namespace basalt::apiserver {

// One object as it is kept beyond the process: StoredObject's key and text.
struct KeptObject {
  std::string group;
  std::string plural;
  std::string key;
  std::uint64_t version = 0;
  std::string text;
};

// What was kept before this process began.
struct KeptState {
  std::uint64_t version = 0;  // of the last change; 0: nothing was ever kept
  std::vector<KeptObject> objects;
};

// Where the store's changes go so that they outlive the process. Nobody may hear of a change before
// it is safe: neither who asked for it nor who watches (held_exchange.h). Loop thread only.
class Persistence {
 public:
  virtual ~Persistence() = default;

  // Takes the change; returns before it is safe. Called in the order of versions.
  virtual void Keep(const StoreEvent& event) = 0;
  // Runs `task` when all that was kept so far is safe, at once where it is; tasks run in their
  // order. Where it can no longer become safe they never run.
  virtual void AfterSafe(Task task) = 0;
};

}  // namespace basalt::apiserver
