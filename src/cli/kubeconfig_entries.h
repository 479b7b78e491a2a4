#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::cli {

// A cluster of `basalt up` in a kubeconfig that may hold others: entries of one name in `clusters`,
// `users` and `contexts`, marked as ours. What else is there stays as it is. Pure; the file itself
// is kubeconfig_file.h's.
struct UpCluster {
  std::string server;
  std::string ca_pem;
  std::string token;
};

// The text of a kubeconfig; "" is one without entries. An error says where it is none.
Result<boost::json::object> ParseKubeconfig(std::string_view text);

// "basalt", or "basalt-2" and so on: the first name that is free, or that of an `up` that is gone.
std::string FreeName(const boost::json::object& config,
                     const std::function<bool(const std::string& server)>& answers);

// Adds the cluster under that name, in the place of one that is gone, and makes it the current one.
// The context that was current before, or before the one that is gone: its entry remembers that.
std::string AddCluster(boost::json::object& config, const std::string& name,
                       const UpCluster& cluster);

// Takes the cluster out where it is still the one that was added. `before` is current again if it
// was not changed since and is still there. false: there was nothing to do.
bool RemoveCluster(boost::json::object& config, const std::string& name, const std::string& server,
                   const std::string& before);

// No cluster, user or context.
bool HasNoEntries(const boost::json::object& config);

}  // namespace basalt::cli
