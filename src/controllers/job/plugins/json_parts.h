#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "kube/types/resource.h"
#include "kube/types/vcjob.h"

// Building blocks of the objects that are made for a job, as JSON.
namespace basalt::controllers {

// The owner reference to the job.
boost::json::object OwnedBy(const kube::VcJob& job);

// The object or the list at `key`, made where there is none.
boost::json::object& ObjectAt(boost::json::object& object, std::string_view key);
boost::json::array& ListAt(boost::json::object& object, std::string_view key);

enum class Containers : std::uint8_t { kMain, kAll };  // kAll: init containers too
void ForEachContainer(boost::json::object& pod, Containers which,
                      FunctionRef<void(boost::json::object& container)> visit);

// Each of these leaves alone what the container or the pod has under that name already.
void AddEnv(boost::json::object& container, std::string_view name, std::string_view value);
void AddEnvEntry(boost::json::object& container, boost::json::object entry);
void AddPort(boost::json::object& container, std::string_view name, std::int32_t port);
void AddVolume(boost::json::object& pod, boost::json::object volume);
void AddMount(boost::json::object& container, boost::json::object mount);

// A new object with name, namespace and owner.
boost::json::object NewObject(const kube::Resource& resource, const kube::VcJob& job,
                              std::string_view name);

}  // namespace basalt::controllers
