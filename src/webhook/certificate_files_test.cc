#include "webhook/certificate_files.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "testing/sim_loop.h"

namespace basalt::webhook {
namespace {

class CertificateFilesTest : public testing::Test {
 protected:
  static std::filesystem::path NewFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "basalt-certificates.XXXXXX").string();
    return mkdtemp(pattern.data());
  }
  ~CertificateFilesTest() override { std::filesystem::remove_all(folder_); }
  void Write(std::string_view name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
  }

  const std::filesystem::path folder_ = NewFolder();
  testutil::SimLoop loop_;
  bool usable_ = true;
  std::vector<std::string> told_;
  CertificateFiles files_{loop_, (folder_ / "crt").string(), (folder_ / "key").string(),
                          [this](const net::CertificateAndKey& pair) {
                            told_.push_back(pair.certificate_pem + pair.key_pem);
                            return usable_;
                          }};
};

TEST_F(CertificateFilesTest, AChangeIsToldOfOnceWithinASecond) {
  Write("crt", "c1");
  Write("key", "k1");
  files_.Follow(*files_.Read());
  loop_.RunFor(5s);
  EXPECT_TRUE(told_.empty());
  Write("crt", "c2");
  Write("key", "k2");
  loop_.RunFor(1s);
  loop_.RunFor(5s);
  EXPECT_EQ(told_, std::vector<std::string>{"c2k2"});
}

TEST_F(CertificateFilesTest, APairThatCannotBeUsedIsTriedAgain) {
  Write("crt", "c1");
  Write("key", "k1");
  files_.Follow(*files_.Read());
  Write("crt", "c2");  // the key is still the old one
  usable_ = false;
  loop_.RunFor(1s);
  EXPECT_EQ(told_.size(), 1u);
  Write("key", "k2");
  usable_ = true;
  loop_.RunFor(1s);
  EXPECT_EQ(told_.back(), "c2k2");
  loop_.RunFor(5s);
  EXPECT_EQ(told_.size(), 2u);
}

TEST_F(CertificateFilesTest, AFileThatIsAwayIsNoChange) {
  EXPECT_FALSE(files_.Read());
  Write("crt", "c1");
  Write("key", "k1");
  files_.Follow(*files_.Read());
  std::filesystem::remove(folder_ / "crt");
  loop_.RunFor(3s);
  EXPECT_TRUE(told_.empty());
}

}  // namespace
}  // namespace basalt::webhook
