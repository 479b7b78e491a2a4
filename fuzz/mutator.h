#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basalt::fuzz {

// Makes new inputs out of known ones: bit flips, cuts, copies, splices, and words that the formats
// Basalt parses are made of. Owned by the driver; one thread; the same seed gives the same inputs.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : state_(seed) {}

  // A child of one of `pool`, or now and then random bytes. At most `max_size` long.
  std::string Next(const std::vector<std::string>& pool, size_t max_size);

 private:
  uint64_t Random();
  size_t Below(size_t bound);
  void MutateOnce(const std::vector<std::string>& pool, std::string& input);

  uint64_t state_;
};

}  // namespace basalt::fuzz
