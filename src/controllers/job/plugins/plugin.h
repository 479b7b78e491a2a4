#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kube/types/resource.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// An object that a plugin wants to be there while the job's pods are.
struct PluginObject {
  const kube::Resource* resource = nullptr;
  std::string name;
  boost::json::object body;    // left empty by Names
  bool follows_scale = false;  // what it says changes with the tasks' replicas
};

// One of a job's pods that is about to be made.
struct PodContext {
  const kube::VcJob& job;
  const kube::VcJobTask& task;
  std::int32_t index = 0;
  std::string_view name;  // of the pod
};

// What a job can ask for by name (contract C12.8): objects beside its pods, and additions to them.
// Made anew from the job whenever it is looked at, and owned by a PluginSet; stateless. On the
// controller's thread.
class JobPlugin {
 public:
  virtual ~JobPlugin() = default;
  virtual std::string_view name() const = 0;
  virtual void OnPod(const PodContext& /*context*/, boost::json::object& /*pod*/) const {}
  // The objects without their bodies, which may cost something to make.
  virtual std::vector<PluginObject> Names(const kube::VcJob& /*job*/) const { return {}; }
  virtual Result<std::vector<PluginObject>> Objects(const kube::VcJob& job) const {
    return Names(job);
  }
};

struct PluginSet {
  std::vector<std::unique_ptr<JobPlugin>> plugins;  // in the order in which pods pass through them
  std::vector<std::string> complaints;              // what was not understood

  void OnPod(const PodContext& context, boost::json::object& pod) const {
    for (const auto& plugin : plugins) plugin->OnPod(context, pod);
  }
};

// The plugins that the job asks for.
PluginSet MakePlugins(const kube::VcJobSpec& spec);

// One function per plugin, each in a file of its own; registry.cc lists them.
class PluginFlags;
std::unique_ptr<JobPlugin> MakeEnvPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakeSvcPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakeSshPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakePytorchPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakeTensorflowPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakeMpiPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakeRayPlugin(PluginFlags& flags);
std::unique_ptr<JobPlugin> MakeHcclRankPlugin(PluginFlags& flags);

}  // namespace basalt::controllers
