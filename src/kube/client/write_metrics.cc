#include "kube/client/write_metrics.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <string>

namespace basalt::kube {
namespace {

// Looking a counter up by its labels takes longer than counting: each is looked up once.
class WriteCounters {
 public:
  explicit WriteCounters(metrics::Registry& registry) : registry_(registry) {}

  void Count(const RequestOutcome& outcome) {
    key_.assign(outcome.verb).append(" ").append(outcome.resource);
    key_.append(" ").append(std::to_string(outcome.code));
    auto it = counters_.find(key_);
    if (it == counters_.end()) {
      const metrics::Labels labels = {
          {"verb", std::string(outcome.verb)},
          {"resource", std::string(outcome.resource)},
          {"code", outcome.code == 0 ? "error" : std::to_string(outcome.code)}};
      it = counters_
               .emplace(key_, registry_.GetCounter("basalt_api_writes_total",
                                                   "Writes to the API server", labels))
               .first;
    }
    it->second.Add();
  }

 private:
  metrics::Registry& registry_;
  std::string key_;
  boost::unordered_flat_map<std::string, metrics::Counter> counters_;
};

}  // namespace

RequestHook CountWrites(metrics::Registry& registry) {
  return [counters = std::make_shared<WriteCounters>(registry)](const RequestOutcome& outcome) {
    if (outcome.verb != "GET") counters->Count(outcome);
  };
}

}  // namespace basalt::kube
