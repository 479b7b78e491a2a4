#include "apiserver/storage/data_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace basalt::apiserver {
namespace {

using testing::HasSubstr;

class DataFolderTest : public testing::Test {
 protected:
  DataFolderTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "basalt-data.XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    folder_ = (root_ / "data").string();
    file_ = folder_ + "/basalt.db";
  }
  ~DataFolderTest() override { std::filesystem::remove_all(root_); }

  std::unique_ptr<DataFolder> Open() {
    auto opened = DataFolder::Open(folder_);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  std::string OpenError() {
    const auto opened = DataFolder::Open(folder_);
    return opened ? "" : opened.error().message;
  }
  static DataFolder::Change Put(std::string key, std::uint64_t version, std::string text) {
    auto object = std::make_shared<StoredObject>();
    object->key = key;
    object->version = version;
    object->text = std::move(text);
    return {.resource = "/configmaps", .key = std::move(key), .object = std::move(object)};
  }

  std::filesystem::path root_;
  std::string folder_;
  std::string file_;
};

TEST_F(DataFolderTest, WhatWasCommittedIsThereTheNextTime) {
  {
    const auto folder = Open();
    ASSERT_TRUE(folder->Commit({Put("ns/a", 1, "{}"), Put("ns/b", 2, "{\"x\":1}")}, 2));
    ASSERT_TRUE(folder->Commit({Put("ns/b", 3, "{\"x\":2}")}, 3));
    ASSERT_TRUE(folder->Commit({{.resource = "/configmaps", .key = "ns/a", .object = nullptr}}, 4));
    ASSERT_TRUE(folder->SetSetting("token", "secret"));
  }
  const auto folder = Open();
  const auto state = folder->Load();
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(state->version, 4u);
  ASSERT_EQ(state->objects.size(), 1u);
  EXPECT_EQ(state->objects[0].group, "");
  EXPECT_EQ(state->objects[0].plural, "configmaps");
  EXPECT_EQ(state->objects[0].key, "ns/b");
  EXPECT_EQ(state->objects[0].version, 3u);
  EXPECT_EQ(state->objects[0].text, "{\"x\":2}");
  EXPECT_EQ(*folder->Setting("token"), "secret");
  EXPECT_EQ(*folder->Setting("none"), "");
}

TEST_F(DataFolderTest, IsPrivateAndForOneProcessAtATime) {
  const auto folder = Open();
  struct stat status {};
  ASSERT_EQ(stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0077, 0u);
  EXPECT_THAT(OpenError(), HasSubstr("uses this data directory"));
  EXPECT_THAT(OpenError(), HasSubstr(std::to_string(getpid())));
}

TEST_F(DataFolderTest, AFileThatIsNoDatabaseIsLeftAsItIs) {
  std::filesystem::create_directory(folder_);
  const std::string diary(5000, 'x');
  std::ofstream(file_) << diary;
  EXPECT_THAT(OpenError(), HasSubstr("no database of Basalt's"));
  std::ifstream file(file_);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), diary);
}

TEST_F(DataFolderTest, ADatabaseOfAnotherProgramOrOfANewerBasaltIsRefused) {
  Open().reset();
  // The header of the file has both numbers, big-endian, at fixed places.
  const auto write = [&](std::streamoff at, const char* bytes) {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.write(bytes, 4);
  };
  write(60, "\0\0\0\7");
  EXPECT_THAT(OpenError(), HasSubstr("written by a newer Basalt (format 7, this one reads 1)"));
  write(60, "\0\0\0\1");
  write(68, "OTHR");
  EXPECT_THAT(OpenError(), HasSubstr("a database of another program"));
}

TEST_F(DataFolderTest, ADamagedObjectIsNamed) {
  {
    const auto folder = Open();
    ASSERT_TRUE(folder->Commit({Put("ns/a", 1, "{\"data\":\"precious\"}")}, 1));
  }
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  const std::size_t at = all.find("precious");
  ASSERT_NE(at, std::string::npos);
  file.clear();
  file.seekp(static_cast<std::streamoff>(at));
  file << "Precious";
  file.close();
  const auto state = Open()->Load();
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().message, HasSubstr("the object /configmaps ns/a is damaged"));
}

TEST_F(DataFolderTest, AFileCutShortIsAnErrorAndNoPartOfTheTruth) {
  {
    const auto folder = Open();
    std::vector<DataFolder::Change> changes;
    for (int i = 0; i < 2000; ++i) {
      changes.push_back(Put("ns/" + std::to_string(i), 1, "{\"x\":\"" + std::string(300, 'y')));
    }
    ASSERT_TRUE(folder->Commit(changes, 1));
  }
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  const auto opened = DataFolder::Open(folder_);
  const auto state =
      opened ? (*opened)->Load() : Result<KeptState>(std::unexpected(opened.error()));
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().message, HasSubstr("The file is damaged"));
}

TEST_F(DataFolderTest, APlaceThatCannotBeOneIsNamed) {
  std::ofstream(folder_) << "a file";
  EXPECT_THAT(OpenError(), HasSubstr("not a directory"));
  folder_ = "/proc/nowhere/data";
  EXPECT_THAT(OpenError(), HasSubstr("/proc/nowhere/data: "));
}

}  // namespace
}  // namespace basalt::apiserver
