// deps: basalt_cli
#include <boost/json/serialize.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cli/manifests.h"
#include "yaml/json.h"

// Whatever it is given, it answers with documents or with an error that has a place.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = basalt::ParseYaml(text);
  if (documents) {
    for (const auto& document : *documents) (void)boost::json::serialize(document.value);
  } else {
    BASALT_CHECK(documents.error().message.starts_with("document "));
  }
  (void)basalt::cli::ParseManifests(text, "input");
  return 0;
}
