#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "kube/client/api_client.h"
#include "testing/replay/entry.h"

namespace basalt::scheduler {

// What a Recorder wrote.
class Recording {
 public:
  static Result<Recording> Read(std::istream& in);

  // What was noted under the name; "": nothing.
  std::string_view NoteOf(std::string_view name) const;

 private:
  friend class Replay;
  std::vector<Entry> entries_;  // in their order, clocks and notes left out
  boost::unordered_flat_map<std::uint64_t, std::int64_t> now_;        // by reading
  boost::unordered_flat_map<std::uint64_t, std::int64_t> monotonic_;  // by reading
  std::vector<std::pair<std::string, std::string>> notes_;
};

// Gives a role what a recording says that it saw: the same clock, the same tasks in the same order,
// the same answers and frames. What the role asks for is compared with what it asked for then, at
// the same moments. Nothing is sent anywhere.
//
//   Replay replay(*Recording::Read(file));
//   kube::Client client(replay.api());
//   SchedulerService service(replay.loop(), client, …);   // as it was when recorded
//   service.Start();
//   Result<void> same = replay.Run();
//
// One thread.
class Replay {
 public:
  explicit Replay(Recording recording);
  ~Replay();

  Loop& loop();
  kube::ApiClient& api();
  // To the end of the recording, or to where the role does something else than it did then.
  Result<void> Run();
  // All that the role asked for, a line each.
  const std::string& requests() const { return requests_; }

 private:
  class ReplayLoop;
  class ReplayApi;

  // The role has made a request.
  void Asked(std::uint64_t number, std::string text);
  void Diverge(std::string what);
  Result<void> Take(const Entry& entry);

  Recording recording_;
  std::size_t next_ = 0;  // entry
  std::string requests_;
  std::string divergence_;
  std::unique_ptr<ReplayLoop> loop_;
  std::unique_ptr<ReplayApi> api_;
};

}  // namespace basalt::scheduler
