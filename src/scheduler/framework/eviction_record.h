#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace basalt::scheduler {

// One pod was evicted for another.
struct EvictionRecord {
  std::string victim_uid;
  std::string victim;         // "ns/name"
  std::string victim_origin;  // see EvictionMemory
  std::string beneficiary_uid;
  std::string beneficiary;
  Time at{};

  bool operator==(const EvictionRecord&) const = default;
};

// As the beneficiary carries them in an annotation (model::annotations::kEvictions), to the second.
std::string WriteEvictions(const std::vector<EvictionRecord>& records);
// What is no such text, or a part of it that is not, is left out: nobody but us writes it.
std::vector<EvictionRecord> ReadEvictions(std::string_view text);

}  // namespace basalt::scheduler
