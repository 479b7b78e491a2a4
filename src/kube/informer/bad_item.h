#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace basalt::kube {

// The little that must be known of an object that cannot be decoded. Slow: bad items are rare.
struct ItemIdentity {
  std::string ns;
  std::string name;
  std::string uid;
  std::string resource_version;
};

struct FrameIdentity {
  std::string type;  // "ADDED", …
  ItemIdentity object;
};

Result<FrameIdentity> IdentifyFrame(std::string_view frame);
// Of all items of a list, good and bad, in their order.
Result<std::vector<ItemIdentity>> IdentifyItems(std::string_view list);

}  // namespace basalt::kube
