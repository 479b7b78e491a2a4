#include "apiserver/storage/group_commit.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>

namespace basalt::apiserver {

GroupCommit::GroupCommit(Loop& loop, std::unique_ptr<DataFolder> folder,
                         std::function<void(const Error&)> failed)
    : loop_(loop), folder_(std::move(folder)), failed_(std::move(failed)) {}

void GroupCommit::Start() {
  thread_ = std::thread([this] { Write(); });
}

GroupCommit::~GroupCommit() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void GroupCommit::Keep(const StoreEvent& event) {
  kept_ = event.version;
  const bool gone = event.type == StoreEvent::Type::kDeleted;
  {
    const std::lock_guard lock(mutex_);
    next_.changes.push_back({.resource = event.collection->group + "/" + event.collection->plural,
                             .key = event.object->key,
                             .object = gone ? nullptr : event.object});
    next_.version = event.version;
  }
  wake_.notify_one();
}

void GroupCommit::AfterSafe(Callback callback) {
  if (safe_ >= kept_) return callback();
  held_.push_back({kept_, std::move(callback)});
}

std::vector<DataFolder::Change> GroupCommit::LastOfEach(std::vector<DataFolder::Change> changes) {
  boost::unordered_flat_set<std::string> seen;
  std::vector<DataFolder::Change> last;
  for (auto it = changes.rbegin(); it != changes.rend(); ++it) {
    if (seen.insert(it->resource + "/" + it->key).second) last.push_back(std::move(*it));
  }
  std::ranges::reverse(last);
  return last;
}

void GroupCommit::Write() {
  while (true) {
    Batch batch;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !next_.changes.empty(); });
      if (next_.changes.empty()) return;
      batch = std::exchange(next_, {});
    }
    const Result<void> committed =
        folder_->Commit(LastOfEach(std::move(batch.changes)), batch.version);
    if (!committed) {
      loop_.Post(scope_.Guard([this, error = committed.error()] { failed_(error); }));
      return;
    }
    loop_.Post(scope_.Guard([this, version = batch.version] { Committed(version); }));
  }
}

void GroupCommit::Committed(std::uint64_t version) {
  safe_ = version;
  while (!held_.empty() && held_.front().version <= safe_) {
    Callback callback = std::move(held_.front().callback);
    held_.pop_front();
    callback();
  }
}

}  // namespace basalt::apiserver
