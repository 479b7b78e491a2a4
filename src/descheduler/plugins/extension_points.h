#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/task.h"

// What a plugin of the descheduler can do; each implements those of these that it has, as the
// scheduler's plugins do. Made for one plan, and used on the thread that owns the cluster.
namespace basalt::descheduler {

class Run;

// Why a pod stays where it is.
struct Objection {
  std::string_view reason;  // one word, a literal
  std::string message;      // a sentence
};

// Looks at pods one by one.
class Deschedule {
 public:
  virtual ~Deschedule() = default;
  virtual void ProposeOneByOne(Run& run) = 0;
};

// Looks at all nodes together.
class Balance {
 public:
  virtual ~Balance() = default;
  virtual void ProposeTogether(Run& run) = 0;
};

// What the pod itself is, and what it asks for.
class EvictionFilter {
 public:
  virtual ~EvictionFilter() = default;
  virtual std::optional<Objection> Filter(const model::Task& task) = 0;
};

// What depends on where it is; asked last.
class PreEvictionFilter {
 public:
  virtual ~PreEvictionFilter() = default;
  virtual std::optional<Objection> FilterBeforeEviction(const model::Task& task) = 0;
};

}  // namespace basalt::descheduler
