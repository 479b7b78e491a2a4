#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/config/config.h"
#include "scheduler/framework/registry.h"

namespace basalt::scheduler {

// One policy. Made once per configuration and kept from session to session, so that it can keep
// what it knows; session state is set anew in SessionObserver::Open. Owned by the PluginSet, on the
// sessions' thread.
class Plugin {
 public:
  virtual ~Plugin() = default;
  // Takes its switches and arguments, before anything else. Refuses arguments that it does not know
  // or cannot use.
  virtual Result<void> Configure(const PluginConfig& config) { return config.arguments.Read({}); }
  // The keys of a pod's annotations and labels on which its answers about nodes depend: pods that
  // differ in one of them do not share an answer (model/task_class.h). Fields of the spec are
  // looked at anyway.
  virtual std::vector<std::string> ReadsFromPod() const { return {}; }
};

// It is configured before it is used.
using PluginFactory = std::function<std::unique_ptr<Plugin>()>;
// The known plugins (plugins/registry.cc has the list).
using PluginRegistry = Registry<PluginFactory>;

}  // namespace basalt::scheduler
