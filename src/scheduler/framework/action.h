#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "scheduler/config/arguments.h"

namespace basalt::scheduler {

class Session;

// One stage of a cycle. Made once per configuration; keeps nothing from cycle to cycle.
class Action {
 public:
  virtual ~Action() = default;
  virtual std::string_view name() const = 0;
  virtual void Run(Session& session) = 0;
};

// Refuses arguments that it does not know or cannot use.
using ActionFactory = std::function<Result<std::unique_ptr<Action>>(const Arguments&)>;

// The known actions (actions/registry.cc has the list).
struct ActionRegistry {
  struct Entry {
    std::string name;
    ActionFactory make;
  };
  std::vector<Entry> entries;

  const ActionFactory* Find(std::string_view name) const {
    for (const Entry& entry : entries) {
      if (entry.name == name) return &entry.make;
    }
    return nullptr;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries) names.push_back(entry.name);
    return names;
  }
};

}  // namespace basalt::scheduler
