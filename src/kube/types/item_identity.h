#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// The little that must be known of an object that cannot be decoded. Only the four fields below are
// looked at, nothing else of the object is: not its managedFields, not how deep it is nested.
namespace basalt::kube {

// What cannot be read, or is no text, is empty.
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

// Of a frame of a watch. Fails only on what is no JSON object.
Result<FrameIdentity> IdentifyFrame(std::string_view frame);

// Of all items of a list, good and bad, one for each that DecodeList delivers and in that order.
// JSON that is broken ends it early: those before are returned.
std::vector<ItemIdentity> IdentifyItems(std::string_view list);

}  // namespace basalt::kube
