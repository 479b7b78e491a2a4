#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/loop.h"

namespace basalt::kube {

// Watches the text of a file. It reads the file again and again instead of waiting for the kernel
// to tell of changes: that sees a write, a rename and the symlink swap of a mounted ConfigMap
// alike, on every file system, and a configuration is small. Text counts once it was the same twice
// in a row, so that a file that is just being written is not taken half. Owned by a role; loop
// thread only.
class ConfigFollower {
 public:
  // An error: the file cannot be read (any more). Told once per change.
  using OnChange = std::function<void(Result<std::string> text)>;

  ConfigFollower(Loop& loop, std::string path, OnChange on_change);

  // Changes against `known` are told, from now on.
  void Start(Result<std::string> known);

 private:
  static constexpr Duration kInterval = 200ms;

  void Look();
  void LookAgain();

  std::string path_;
  OnChange on_change_;
  Result<std::string> told_;
  std::optional<std::string> seen_;  // another text, seen once
  Timer timer_;
};

// A configuration file's text. Refuses what is no file of a sensible size.
Result<std::string> ReadConfigFile(const std::string& path);

}  // namespace basalt::kube
