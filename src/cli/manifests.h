#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "kube/types/resource.h"

namespace basalt::cli {

// One object to create, and where it came from: "pods.yaml, document 2, line 14".
struct Manifest {
  std::string origin;
  std::string api_version;
  std::string kind;
  std::string ns;    // may be empty
  std::string name;  // may be empty where there is a generateName
  boost::json::object object;
};

// The objects of a stream of YAML or JSON documents; a List is taken apart. `source` stands for the
// stream in messages. What is no Kubernetes object is an error that names document and line.
Result<std::vector<Manifest>> ParseManifests(std::string_view text, const std::string& source);
// "-" is standard input.
Result<std::vector<Manifest>> ReadManifests(const std::string& path);
// The same of a file that is to have objects of one kind; where they name no namespace, `ns`.
Result<std::vector<Manifest>> ReadManifestsOf(const kube::Resource& resource,
                                              const std::string& path, const std::string& ns);

}  // namespace basalt::cli
