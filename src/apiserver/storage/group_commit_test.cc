#include "apiserver/storage/group_commit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/asio_loop.h"

namespace basalt::apiserver {
namespace {

using testing::HasSubstr;

class GroupCommitTest : public testing::Test {
 protected:
  GroupCommitTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "basalt-data.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    collection_.plural = "configmaps";
  }
  ~GroupCommitTest() override { std::filesystem::remove_all(folder_); }

  void Keep(GroupCommit& commit, const std::string& key, std::string text) {
    auto object = std::make_shared<StoredObject>();
    object->key = key;
    object->version = ++version_;
    object->text = std::move(text);
    commit.Keep({StoreEvent::Type::kAdded, version_, &collection_, std::move(object), nullptr});
  }

  std::string folder_;
  Collection collection_;
  std::uint64_t version_ = 0;
};

TEST_F(GroupCommitTest, TasksRunInOrderOnceTheirWritesAreOnTheDisk) {
  constexpr int kWrites = 3000;
  std::vector<int> ran;
  {
    AsioLoop loop;
    GroupCommit commit(loop, *DataFolder::Open(folder_), [](const Error&) { FAIL(); });
    commit.Start();
    loop.Post([&] {
      for (int i = 0; i < kWrites; ++i) {
        Keep(commit, "ns/" + std::to_string(i % 100), "{\"x\":" + std::to_string(i) + "}");
        commit.AfterSafe([&, i] {
          ran.push_back(i);
          if (i == kWrites - 1) loop.Stop();
        });
      }
      EXPECT_TRUE(ran.empty()) << "nothing is safe within the call";
    });
    loop.Run();
    Keep(commit, "ns/last", "{}");  // written when it ends
  }
  ASSERT_EQ(ran.size(), static_cast<std::size_t>(kWrites));
  EXPECT_TRUE(std::ranges::is_sorted(ran));
  const auto state = (*DataFolder::Open(folder_))->Load();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->version, static_cast<std::uint64_t>(kWrites + 1));
  ASSERT_EQ(state->objects.size(), 101u);
  for (const KeptObject& object : state->objects) {
    if (object.key == "ns/99") {
      EXPECT_EQ(object.text, "{\"x\":2999}");
    }
  }
}

TEST_F(GroupCommitTest, WhatCannotBeWrittenIsNeverSafe) {
  AsioLoop loop;
  std::optional<Error> failed;
  bool ran = false;
  GroupCommit commit(loop, *DataFolder::Open(folder_), [&](const Error& error) {
    failed = error;
    loop.Stop();
  });
  // No file may grow beyond this: as good as a full disk.
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 256 * 1024, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  commit.Start();
  loop.Post([&] {
    Keep(commit, "ns/large", std::string(2 * 1024 * 1024, 'x'));
    commit.AfterSafe([&] { ran = true; });
  });
  loop.Run();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  ASSERT_TRUE(failed);
  EXPECT_THAT(failed->message, HasSubstr("basalt.db: writing: "));
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace basalt::apiserver
