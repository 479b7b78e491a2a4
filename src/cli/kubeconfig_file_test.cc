#include "cli/kubeconfig_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace basalt::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class KubeconfigFileTest : public testing::Test {
 protected:
  KubeconfigFileTest() {
    std::string pattern = (fs::temp_directory_path() / "basalt-kubeconfig.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~KubeconfigFileTest() override { fs::remove_all(folder_); }

  static unsigned ModeOf(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }

  fs::path folder_;
  const UpCluster cluster_{.server = "https://127.0.0.1:1", .ca_pem = "ca", .token = "t"};
};

TEST_F(KubeconfigFileTest, AMissingFolderIsMadeForItsOwnerAlone) {
  KubeconfigFile file(folder_ / "not" / "there" / "kubeconfig");
  const auto usable = file.Check();
  ASSERT_TRUE(usable) << usable.error().message;
  EXPECT_FALSE(fs::exists(folder_ / "not")) << "nothing is made before it is needed";
  const auto added = file.Add(cluster_);
  ASSERT_TRUE(added) << added.error().message;
  for (const char* made : {"not", "not/there"}) EXPECT_EQ(ModeOf(folder_ / made), 0700u) << made;
  EXPECT_EQ(ModeOf(folder_ / "not/there/kubeconfig"), 0600u);
  EXPECT_TRUE(file.Remove());
  EXPECT_FALSE(fs::exists(folder_ / "not/there/kubeconfig"));
}

TEST_F(KubeconfigFileTest, AFolderThatIsThereKeepsItsMode) {
  fs::create_directory(folder_ / "shared");
  fs::permissions(folder_ / "shared", fs::perms(0755));
  KubeconfigFile file(folder_ / "shared" / "kubeconfig");
  ASSERT_TRUE(file.Check());
  ASSERT_TRUE(file.Add(cluster_));
  EXPECT_EQ(ModeOf(folder_ / "shared"), 0755u);
}

TEST_F(KubeconfigFileTest, WhatCannotBecomeAFolderIsRefusedBeforeAnythingStarts) {
  std::ofstream(folder_ / "file") << "x";
  const auto usable = KubeconfigFile(folder_ / "file" / "there" / "kubeconfig").Check();
  ASSERT_FALSE(usable);
  EXPECT_THAT(usable.error().message, HasSubstr("its folder cannot be written: Not a directory"));
}

}  // namespace
}  // namespace basalt::cli
