// deps: basalt_descheduler_policy
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "descheduler/policy/policy.h"

using namespace basalt;
using namespace basalt::descheduler;

namespace {

void CheckInOrder(const Thresholds& low, const Thresholds& high) {
  BASALT_CHECK(low.size() == high.size());
  for (const auto& [name, value] : low) {
    BASALT_CHECK(value >= 0 && value <= high.at(name) && high.at(name) <= 100);
  }
}

}  // namespace

// A policy file: one that loads has numbers that a plan can be made with, one that does not is told
// why in a line that begins with the field or the line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto policy = ParsePolicy({reinterpret_cast<const char*>(data), size});
  if (!policy) {
    BASALT_CHECK(policy.error().find(':') != std::string::npos);
    return 0;
  }
  BASALT_CHECK(!policy->profiles.empty());
  for (const Profile& profile : policy->profiles) {
    if (profile.defragmentation) {
      const DefragmentationArgs& args = *profile.defragmentation;
      BASALT_CHECK(args.low.contains(args.resource_type));
      CheckInOrder(args.low, args.defragment);
      CheckInOrder(args.defragment, args.protection);
      BASALT_CHECK(args.moves.max_parallel >= 1 && args.moves.migrate_timeout > Duration::zero());
    }
    if (profile.load_aware) {
      CheckInOrder(profile.load_aware->thresholds, profile.load_aware->target_thresholds);
    }
  }
  return 0;
}
