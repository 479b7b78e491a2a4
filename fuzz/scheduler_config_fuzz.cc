// deps: basalt_scheduler_config
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "scheduler/config/config.h"

using namespace basalt;
using namespace basalt::scheduler;

// A configuration file: one that loads names only what is known, one that does not is told why.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const KnownNames known{
      {"enqueue", "allocate", "backfill", "preempt", "reclaim"},
      {"priority", "gang", "conformance", "drf", "predicates", "nodeorder", "binpack"}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Config> config = LoadConfig(text, known);
  if (!config) {
    BASALT_CHECK(!config.error().message.empty());
    return 0;
  }
  for (const std::string& action : config->actions) BASALT_CHECK(config->HasAction(action));
  for (const Tier& tier : config->tiers) {
    for (const PluginConfig& plugin : tier.plugins) {
      for (const auto& [key, value] : plugin.arguments.values()) {
        int number = 0;
        double ratio = 0;
        bool flag = false;
        std::string word;
        (void)plugin.arguments.Get(key, &number);
        (void)plugin.arguments.Get(key, &ratio);
        (void)plugin.arguments.Get(key, &flag);
        (void)plugin.arguments.Get(key, &word);
      }
      (void)plugin.arguments.Read({{"weight"}}, {"resource."});
    }
  }
  return 0;
}
