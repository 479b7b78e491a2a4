#include "testing/stories/story_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace basalt::testutil {
namespace {

struct Story {
  std::string name;  // as it stands there
  std::string text;
};

std::vector<Story> StoriesIn(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Story> stories;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) stories.push_back({.name = line.substr(2), .text = ""});
    if (!stories.empty()) stories.back().text += line + "\n";
  }
  return stories;
}

// "A gang waits" → AGangWaits.
std::string TestName(std::string_view sentence) {
  std::string name;
  bool starts = true;
  for (const char c : sentence) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      starts = true;
      continue;
    }
    name += starts ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    starts = false;
  }
  return name;
}

class StoryTest : public testing::Test {
 public:
  StoryTest(std::string text, StoryTeller tell) : text_(std::move(text)), tell_(tell) {}
  void TestBody() override { EXPECT_EQ(tell_(text_), text_); }

 private:
  std::string text_;
  StoryTeller tell_;
};

class StoryWriter : public testing::Test {
 public:
  StoryWriter(std::filesystem::path path, StoryTeller tell) : path_(std::move(path)), tell_(tell) {}
  void TestBody() override {
    std::string text;
    for (const Story& story : StoriesIn(path_)) text += tell_(story.text);
    std::ofstream(path_) << text;
  }

 private:
  std::filesystem::path path_;
  StoryTeller tell_;
};

}  // namespace

bool RegisterStories(const char* file, StoryTeller tell) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(file).parent_path())) {
    if (entry.path().string().ends_with("_test.story")) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const std::string suite = TestName(path.stem().string()).append("Stories");
    if (std::getenv("BASALT_WRITE_STORIES")) {
      testing::RegisterTest(suite.c_str(), "Write", nullptr, nullptr, __FILE__, __LINE__,
                            [=]() -> testing::Test* { return new StoryWriter(path, tell); });
      continue;
    }
    for (const Story& story : StoriesIn(path)) {
      testing::RegisterTest(
          suite.c_str(), TestName(story.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [text = story.text, tell]() -> testing::Test* { return new StoryTest(text, tell); });
    }
  }
  return true;
}

}  // namespace basalt::testutil
