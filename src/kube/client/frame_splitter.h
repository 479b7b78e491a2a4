#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/function_ref.h"

namespace basalt::kube {

// Cuts the body of a watch, as it arrives, into frames: one per line. Frames that lie whole in one
// piece are not copied. Owned by one watch; loop thread only.
class FrameSplitter {
 public:
  explicit FrameSplitter(std::size_t max_frame_bytes) : max_frame_bytes_(max_frame_bytes) {}

  // Calls `on_frame` for each frame that `piece` completes, without its line end, empty lines left
  // out; it says whether to go on. False: a frame is larger than allowed, nothing may follow.
  bool Feed(std::string_view piece, FunctionRef<bool(std::string_view)> on_frame);

  // Bytes of a frame whose end has not come.
  std::size_t pending() const { return partial_.size(); }

 private:
  std::size_t max_frame_bytes_;
  std::string partial_;
};

}  // namespace basalt::kube
