// deps: basalt_kube_client
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "kube/client/frame_splitter.h"

// However a body is cut into pieces, the frames are its lines. The first byte says how large the
// pieces are, the second how large a frame may be.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t step = data[0] + 1u;
  const std::size_t limit = data[1];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);

  std::vector<std::string> expected;
  bool fits = true;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find('\n', begin);
    const std::size_t stop = end == std::string_view::npos ? text.size() : end;
    if (stop - begin > limit) {
      fits = false;
      break;
    }
    if (end == std::string_view::npos) break;
    if (end > begin) expected.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }

  basalt::kube::FrameSplitter splitter(limit);
  std::vector<std::string> frames;
  bool fed = true;
  for (std::size_t at = 0; at < text.size() && fed; at += step) {
    fed = splitter.Feed(text.substr(at, step), [&](std::string_view frame) {
      frames.emplace_back(frame);
      return true;
    });
  }
  BASALT_CHECK(fed == fits);
  BASALT_CHECK(frames == expected);
  return 0;
}
