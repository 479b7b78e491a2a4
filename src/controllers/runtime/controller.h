#pragma once

#include <string_view>

namespace basalt::controllers {

// Keeps something on the cluster as it should be: watches, and puts right what is not. Owned by a
// ControllerManager: made when this process starts to lead, destroyed when it no longer does.
// Everything it knows is on the cluster. Loop thread only.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual std::string_view name() const = 0;
  virtual void Start() = 0;
  // It knows what was there when it started.
  virtual bool HasSynced() const = 0;
};

}  // namespace basalt::controllers
