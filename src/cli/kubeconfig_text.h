#pragma once

#include <string>

namespace basalt::cli {

// A kubeconfig with one cluster, user and context, all called "basalt".
std::string KubeconfigText(const std::string& server, const std::string& ca_pem,
                           const std::string& token);

}  // namespace basalt::cli
