#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

// The contents of a kubeconfig, before one context is chosen. Only for kubeconfig.cc.
namespace basalt::kube {

// One entry of clusters, users or contexts: its scalar fields as text, and where it came from.
struct KubeconfigEntry {
  std::string file;
  std::string where;  // "clusters[dev]"
  std::map<std::string, std::string, std::less<>> fields;

  // Empty: not there.
  std::string_view Get(std::string_view field) const;
};

struct Kubeconfig {
  std::map<std::string, KubeconfigEntry, std::less<>> clusters;
  std::map<std::string, KubeconfigEntry, std::less<>> users;
  std::map<std::string, KubeconfigEntry, std::less<>> contexts;
  std::string current_context;

  // Takes what is not here yet.
  void Merge(Kubeconfig other);
};

Result<Kubeconfig> ReadKubeconfigText(std::string_view text, const std::string& file);

}  // namespace basalt::kube
