#pragma once

#include <string>
#include <string_view>

namespace basalt::testutil {

// A story with what happens in place of what was expected.
using StoryTeller = std::string (*)(std::string_view story);

// Makes a test of each story in the *_test.story files of the folder of `file` and below; a story
// begins with a line "# SENTENCE", which is its name. With BASALT_WRITE_STORIES set they write what
// happens into the files, to be read before it is believed.
bool RegisterStories(const char* file, StoryTeller tell);

}  // namespace basalt::testutil
