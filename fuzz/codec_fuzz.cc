// deps: basalt_kube_types
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "kube/types/codec.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/status.h"
#include "kube/types/workloads.h"

// Any bytes either decode or give an error. What decodes as one object decodes the same as the item
// of a list and as the object of a watch frame.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basalt::kube;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const basalt::Result<Pod> pod = Decode<Pod>(text);
  if (!pod) BASALT_CHECK(!pod.error().message.empty());
  (void)Decode<Job>(text);
  (void)Decode<Reservation>(text);
  (void)DecodeStatus(500, text);
  (void)DecodeList<Node>(text, [](basalt::Result<Node>&& node) {
    if (!node) BASALT_CHECK(!node.error().message.empty());
  });
  (void)DecodeWatchFrame<Pod>(text);

  if (!pod) return 0;
  int items = 0;
  const std::string list =
      R"({"kind":"PodList","items":[)" + std::string(text) + "," + std::string(text) + "]}";
  const auto meta = DecodeList<Pod>(list, [&](basalt::Result<Pod>&& item) {
    BASALT_CHECK(item && *item == *pod);
    ++items;
  });
  BASALT_CHECK(meta && items == 2);
  const auto frame =
      DecodeWatchFrame<Pod>(R"({"type":"ADDED","object":)" + std::string(text) + "}");
  BASALT_CHECK(frame && frame->As<Pod>() == *pod);
  return 0;
}
