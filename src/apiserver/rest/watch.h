#pragma once

#include <map>
#include <memory>

#include "apiserver/storage/store.h"

namespace basalt::apiserver {

class Watch;

// The watches that are open now. Owned by the core; loop thread only.
class OpenWatches {
 public:
  OpenWatches();
  ~OpenWatches();

  void Add(std::shared_ptr<Watch> watch);
  void Remove(const Watch& watch);
  // Ends the watches of `collection`; null: all.
  void Close(const Collection* collection);
  std::size_t size() const { return watches_.size(); }

 private:
  std::map<std::uint64_t, std::shared_ptr<Watch>> watches_;  // by id: the order is that of opening
};

}  // namespace basalt::apiserver
