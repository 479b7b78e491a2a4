#pragma once

#include <cstdint>
#include <vector>

#include "model/ids.h"

namespace basalt::descheduler {

// Nodes by how full they are, the fullest first, then by name; kept as they fill. A part of
// Defragmentation, on its thread.
class NodeOrder {
 public:
  struct Entry {
    double percent = 0;
    double idle = 0;          // what is left of the resource
    double room = 0;          // no less than what of that may be taken before it is too full
    std::uint32_t place = 0;  // in the order of names
    model::NodeId node;
    bool operator<(const Entry& other) const {
      return percent != other.percent ? percent > other.percent : place < other.place;
    }
  };

  // All at once; the order is made by Sort.
  void Add(const Entry& entry) { entries_.push_back(entry); }
  void Sort();
  // The entry is another now. REQUIRES: it is there as it is said to be.
  void Change(const Entry& before, const Entry& after);
  void Remove(const Entry& entry);
  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry>::iterator Find(const Entry& entry);
  std::vector<Entry> entries_;
};

}  // namespace basalt::descheduler
