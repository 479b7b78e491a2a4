#pragma once

#include <map>

#include "apiserver/storage/store.h"

namespace basalt::apiserver {

class Watch;

// The watches that are open now. Owned by the core; loop thread only. A watch whose client reads
// slowly holds little: it follows again, from the store's history, when the client has read what
// was written, and ends with 410 when the history no longer reaches back that far.
class OpenWatches {
 public:
  OpenWatches();
  ~OpenWatches();

  void Add(const std::shared_ptr<Watch>& watch);
  void Remove(const Watch& watch);
  // Ends the watches of `collection`; null: all.
  void Close(const Collection* collection);
  std::size_t size() const { return watches_.size(); }
  // How much of a watch may wait to be read before it waits too: all of them together stay within
  // kMostUnsent and a frame each.
  std::size_t MostUnsent() const;

 private:
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Watch>> watches_;  // by id: the order is that of opening
};

}  // namespace basalt::apiserver
