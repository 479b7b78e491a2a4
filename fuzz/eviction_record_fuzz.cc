// deps: basalt_scheduler_framework
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "scheduler/framework/eviction_memory.h"

using namespace basalt::scheduler;

// The text that a pod carries about who left for it: whatever is in it, what is read is whole, and
// is read again from what is written of it (to the second).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<EvictionRecord> records = ReadEvictions(text);
  for (const EvictionRecord& record : records) {
    BASALT_CHECK(!record.victim_uid.empty() && !record.victim.empty());
    BASALT_CHECK(!record.beneficiary_uid.empty() && !record.beneficiary.empty());
  }
  const std::vector<EvictionRecord> again = ReadEvictions(WriteEvictions(records));
  BASALT_CHECK(again.size() == records.size());
  BASALT_CHECK(ReadEvictions(WriteEvictions(again)) == again);
  return 0;
}
