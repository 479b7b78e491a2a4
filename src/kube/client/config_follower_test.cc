#include "kube/client/config_follower.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

namespace fs = std::filesystem;

class ConfigFollowerTest : public testing::Test {
 protected:
  ConfigFollowerTest() {
    std::string pattern = (fs::temp_directory_path() / "basalt-conf.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~ConfigFollowerTest() override { fs::remove_all(folder_); }

  void Write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
  }
  void Follow(const std::string& name) {
    const std::string path = folder_ / name;
    follower_.emplace(loop_, path, [this](const Result<std::string>& text) {
      told_.push_back(text ? *text : "error");
    });
    follower_->Start(ReadConfigFile(path));
  }
  // What was told within a second.
  std::vector<std::string> Told() {
    told_.clear();
    loop_.RunFor(1s);
    return told_;
  }
  using Texts = std::vector<std::string>;

  fs::path folder_;
  testutil::SimLoop loop_;
  std::optional<ConfigFollower> follower_;
  std::vector<std::string> told_;
};

TEST_F(ConfigFollowerTest, AWriteARenameAndTheirAbsenceAreToldOnceEach) {
  Write("conf", "a");
  Follow("conf");
  EXPECT_EQ(Told(), Texts{});
  Write("conf", "b");
  EXPECT_EQ(Told(), Texts{"b"});
  EXPECT_EQ(Told(), Texts{});
  Write("next", "c");
  fs::rename(folder_ / "next", folder_ / "conf");
  EXPECT_EQ(Told(), Texts{"c"});
  fs::remove(folder_ / "conf");
  EXPECT_EQ(Told(), Texts{"error"});
  EXPECT_EQ(Told(), Texts{});
  Write("conf", "c");
  EXPECT_EQ(Told(), Texts{"c"});
}

TEST_F(ConfigFollowerTest, TheSymlinkSwapOfAConfigMapIsSeen) {
  fs::create_directory(folder_ / "v1");
  fs::create_directory(folder_ / "v2");
  Write("v1/conf", "one");
  Write("v2/conf", "two");
  fs::create_directory_symlink("v1", folder_ / "..data");
  fs::create_symlink("..data/conf", folder_ / "conf");
  Follow("conf");
  EXPECT_EQ(Told(), Texts{});
  fs::create_directory_symlink("v2", folder_ / "..data_tmp");
  fs::rename(folder_ / "..data_tmp", folder_ / "..data");
  EXPECT_EQ(Told(), Texts{"two"});
}

TEST_F(ConfigFollowerTest, AFileThatIsJustBeingWrittenIsNotTakenHalf) {
  Write("conf", "whole");
  Follow("conf");
  Write("conf", "");
  loop_.RunFor(250ms);  // looked at once
  Write("conf", "new whole");
  EXPECT_EQ(Told(), Texts{"new whole"});
}

TEST_F(ConfigFollowerTest, AFileThatComesLaterIsTold) {
  Follow("conf");
  EXPECT_EQ(Told(), Texts{});
  Write("conf", "a");
  EXPECT_EQ(Told(), Texts{"a"});
}

}  // namespace
}  // namespace basalt::kube
