#include "cli/kubeconfig_text.h"

#include <fmt/core.h>

#include "base/base64.h"

namespace basalt::cli {

std::string KubeconfigText(const std::string& server, const std::string& ca_pem,
                           const std::string& token) {
  return fmt::format(
      "apiVersion: v1\n"
      "kind: Config\n"
      "current-context: basalt\n"
      "clusters:\n"
      "- name: basalt\n"
      "  cluster:\n"
      "    server: {}\n"
      "    certificate-authority-data: {}\n"
      "contexts:\n"
      "- name: basalt\n"
      "  context:\n"
      "    cluster: basalt\n"
      "    user: basalt\n"
      "users:\n"
      "- name: basalt\n"
      "  user:\n"
      "    token: {}\n",
      server, Base64Encode(ca_pem), token);
}

}  // namespace basalt::cli
