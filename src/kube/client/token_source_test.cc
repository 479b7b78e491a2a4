#include "kube/client/token_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

class TokenSourceTest : public testing::Test {
 protected:
  TokenSourceTest() {
    std::string name = (std::filesystem::temp_directory_path() / "token-XXXXXX").string();
    close(mkstemp(name.data()));
    file = name;
  }
  ~TokenSourceTest() override { std::filesystem::remove(file); }
  void Write(std::string_view text) { std::ofstream(file) << text; }

  testutil::SimLoop loop;
  std::string file;
};

TEST_F(TokenSourceTest, AConstantTokenStays) {
  TokenSource source(loop, "abc", "");
  EXPECT_EQ(*source.Get(), "abc");
  EXPECT_EQ(*TokenSource(loop, "", "").Get(), "");
}

TEST_F(TokenSourceTest, AFilesTokenIsReadAgainWithinAMinuteOrWhenRefused) {
  Write("one\n");
  TokenSource source(loop, "old", file);
  EXPECT_EQ(*source.Get(), "one");
  Write("two\n");
  EXPECT_EQ(*source.Get(), "one");
  loop.RunFor(1min);
  EXPECT_EQ(*source.Get(), "two");
  Write("three");
  source.Expire();
  EXPECT_EQ(*source.Get(), "three");
}

TEST_F(TokenSourceTest, TheLastTokenServesWhileTheFileCannotBeRead) {
  Write("one");
  TokenSource source(loop, "", file);
  EXPECT_EQ(*source.Get(), "one");
  std::filesystem::remove(file);
  loop.RunFor(1min);
  EXPECT_EQ(*source.Get(), "one");
}

TEST_F(TokenSourceTest, AFileThatNeverHadOneIsAnErrorUntilItHas) {
  TokenSource source(loop, "", file);
  const auto empty = source.Get();
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find(file), std::string::npos);
  Write("late");
  EXPECT_EQ(*source.Get(), "late");
}

}  // namespace
}  // namespace basalt::kube
