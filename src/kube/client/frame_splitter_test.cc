#include "kube/client/frame_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace basalt::kube {
namespace {

using testing::ElementsAre;

TEST(FrameSplitterTest, FramesAreTheSameHoweverTheBytesArrive) {
  const std::string text = "one\n\ntwo\nthree is long\nfour\nrest";
  for (std::size_t step = 1; step <= text.size(); ++step) {
    FrameSplitter splitter(100);
    std::vector<std::string> frames;
    for (std::size_t at = 0; at < text.size(); at += step) {
      EXPECT_TRUE(
          splitter.Feed(std::string_view(text).substr(at, step), [&](std::string_view frame) {
            frames.emplace_back(frame);
            return true;
          }));
    }
    EXPECT_THAT(frames, ElementsAre("one", "two", "three is long", "four")) << step;
    EXPECT_EQ(splitter.pending(), 4u);
  }
}

TEST(FrameSplitterTest, AFrameThatIsTooLargeIsRefusedBeforeItsEndIsSeen) {
  const auto ignore = [](std::string_view) { return true; };
  EXPECT_TRUE(FrameSplitter(4).Feed("1234\n", ignore));
  EXPECT_FALSE(FrameSplitter(4).Feed("12345\n", ignore));
  EXPECT_FALSE(FrameSplitter(4).Feed("12345", ignore));
  FrameSplitter slow(4);
  EXPECT_TRUE(slow.Feed("1\n123", ignore));
  EXPECT_FALSE(slow.Feed("45", ignore));
}

TEST(FrameSplitterTest, StopsWhenTold) {
  FrameSplitter splitter(100);
  int frames = 0;
  EXPECT_TRUE(splitter.Feed("1\n2\n3\n", [&](std::string_view) { return ++frames < 2; }));
  EXPECT_EQ(frames, 2);
}

}  // namespace
}  // namespace basalt::kube
