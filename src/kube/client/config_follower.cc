#include "kube/client/config_follower.h"

#include <utility>

#include "kube/client/files.h"

namespace basalt::kube {
namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;

// Equal texts are the same, and so are two files that cannot be read.
bool Same(const Result<std::string>& a, const Result<std::string>& b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}

}  // namespace

Result<std::string> ReadConfigFile(const std::string& path) { return ReadFile(path, kMostBytes); }

ConfigFollower::ConfigFollower(Loop& loop, std::string path, OnChange on_change)
    : path_(std::move(path)), on_change_(std::move(on_change)), timer_(loop) {}

void ConfigFollower::Start(Result<std::string> known) {
  told_ = std::move(known);
  LookAgain();
}

void ConfigFollower::LookAgain() {
  timer_.Start(kInterval, [this] { Look(); });
}

void ConfigFollower::Look() {
  LookAgain();
  Result<std::string> now = ReadConfigFile(path_);
  if (Same(now, told_)) {
    seen_.reset();
    return;
  }
  // A file that is gone for a moment (a rename in two steps) is as little to be trusted as half
  // one.
  const std::string text = now ? "text " + *now : "error";
  if (seen_ != text) {
    seen_ = text;
    return;
  }
  seen_.reset();
  told_ = now;
  on_change_(std::move(now));
}

}  // namespace basalt::kube
