// deps: basalt_kube_client
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "kube/client/kubeconfig.h"
#include "net/url.h"

// Any text is either refused with a message that names the file, or gives a server to talk to.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = basalt::kube::ParseKubeconfig(text, "/fuzz/config");
  if (config) {
    BASALT_CHECK(basalt::net::ParseUrl(config->server).has_value());
  } else {
    BASALT_CHECK(config.error().message.starts_with("kubeconfig /fuzz/config: "));
  }
  return 0;
}
