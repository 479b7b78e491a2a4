// deps: basalt_kube_types
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "kube/types/cron_schedule.h"

using namespace basalt;

// Bytes as a schedule, and as a file of the time zone database.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Time now(1'800'000'000s);
  const auto zone = kube::TimeZone::Parse(text);
  if (zone) BASALT_CHECK(zone->At(now).until > now);
  const auto schedule = kube::CronSchedule::Parse(text);
  if (!schedule) {
    BASALT_CHECK(!schedule.error().message.empty());
    return 0;
  }
  const kube::TimeZone utc;
  const auto next = schedule->Next(now, utc);
  if (next) BASALT_CHECK(*next > now && !schedule->Latest(now, *next - Duration(1), utc));
  return 0;
}
