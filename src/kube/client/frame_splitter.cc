#include "kube/client/frame_splitter.h"

#include <utility>

namespace basalt::kube {

bool FrameSplitter::Feed(std::string_view piece, FunctionRef<bool(std::string_view)> on_frame) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    const std::size_t size = end == std::string_view::npos ? piece.size() : end;
    if (partial_.size() + size > max_frame_bytes_) return false;
    if (end == std::string_view::npos) {
      partial_ += piece;
      return true;
    }
    std::string_view frame = piece.substr(0, end);
    piece.remove_prefix(end + 1);
    if (partial_.empty()) {
      if (!frame.empty() && !on_frame(frame)) return true;
      continue;
    }
    partial_ += frame;
    const std::string whole = std::exchange(partial_, {});
    if (!on_frame(whole)) return true;
  }
  return true;
}

}  // namespace basalt::kube
