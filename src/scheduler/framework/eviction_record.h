#pragma once

#include <cstddef>
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

// More steps than this are as good as none, and a pod must not grow without end.
inline constexpr std::size_t kMostCarriedEvictions = 32;
// What so many records with the longest names need, and their seal.
inline constexpr std::size_t kLongestEvictions = 64 * 1024;

// As the beneficiary carries them in an annotation (model::annotations::kEvictions), to the second.
// It is sealed there (base/signer.h).
std::string WriteEvictions(const std::vector<EvictionRecord>& records);
// What is no such text, or a part of it that is not, is left out, and so are all records after the
// first kMostCarriedEvictions.
std::vector<EvictionRecord> ReadEvictions(std::string_view text);

}  // namespace basalt::scheduler
