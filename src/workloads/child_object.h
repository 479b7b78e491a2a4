#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "kube/types/meta.h"
#include "kube/types/pod.h"
#include "kube/types/resource.h"

namespace basalt::workloads {

// {"apiVersion", "kind", "name", "uid", "controller": true, "blockOwnerDeletion": true}.
boost::json::object ControllerReference(const kube::Resource& kind, const kube::ObjectMeta& owner);

// The template as it was written. Empty where it cannot be read (it came out of a larger text that
// could, but limits differ): the API server then refuses what is made of it, and says so.
boost::json::object ParseTemplate(const kube::PodTemplate& pod_template);

// The pod that a template describes, field for field as the template has it, owned by `owner`. The
// caller may add to it before it is sent.
boost::json::object PodFromTemplate(const kube::PodTemplate& pod_template,
                                    const kube::Resource& kind, const kube::ObjectMeta& owner,
                                    std::string_view name);

// Null where Kubernetes leaves a count of 0 out.
boost::json::value NullIfZero(std::int32_t count);

// The object at `key`, made where there is none.
boost::json::object& Child(boost::json::object& object, std::string_view key);

// Five characters that Kubernetes itself would use at the end of a generated name: no vowels, so no
// words. The same for the same bits.
std::string NameSuffix(std::uint64_t bits, int length = 5);

// PREFIX + suffix, cut where the API server would cut it so that the name stays valid.
std::string GeneratedName(std::string_view prefix, std::uint64_t bits);

// FNV-1a. The same everywhere and for ever.
std::uint64_t StableHash(std::string_view text);

}  // namespace basalt::workloads
