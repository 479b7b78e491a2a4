#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "apiserver/storage/data_folder.h"
#include "apiserver/storage/store.h"
#include "base/error.h"
#include "base/loop.h"

namespace basalt::apiserver {

// Keeps changes in a data folder from a thread of its own: what comes in while one commit is under
// way goes into the next one together, the last state of each object alone. So a commit's wait for
// the disk costs each change a moment and throughput next to nothing.
//
// All calls on the loop's thread. Owned beside the Server: destroyed after the loop has ended, and
// before the loop.
class GroupCommit final : public Persistence {
 public:
  // `failed` is called on the loop, once, when something cannot be written; nothing is safe from
  // then on.
  GroupCommit(Loop& loop, std::unique_ptr<DataFolder> folder,
              std::function<void(const Error&)> failed);
  // Writes what is left.
  ~GroupCommit() override;

  // Until Start it is the caller's, and nothing is written.
  DataFolder& folder() { return *folder_; }
  void Start();

  void Keep(const StoreEvent& event) override;
  void AfterSafe(Callback callback) override;

 private:
  struct Batch {
    std::vector<DataFolder::Change> changes;
    std::uint64_t version = 0;
  };
  struct Held {
    std::uint64_t version;
    Callback callback;
  };

  void Write();  // the thread
  static std::vector<DataFolder::Change> LastOfEach(std::vector<DataFolder::Change> changes);
  void Committed(std::uint64_t version);

  Loop& loop_;
  std::unique_ptr<DataFolder> folder_;  // the thread's
  std::function<void(const Error&)> failed_;
  std::uint64_t kept_ = 0;
  std::uint64_t safe_ = 0;
  std::deque<Held> held_;  // in the order of versions

  std::mutex mutex_;
  std::condition_variable wake_;
  Batch next_;             // guarded by mutex_
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
  Scope scope_;
};

}  // namespace basalt::apiserver
