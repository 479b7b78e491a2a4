#include "base/metrics.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "base/metrics_text.h"

namespace basalt::metrics {
namespace internal {

struct Number {
  std::atomic<double> value = 0;
};

struct Buckets {
  explicit Buckets(const std::vector<double>& at) : bounds(at), counts(at.size() + 1) {
    BASALT_CHECK(std::ranges::is_sorted(bounds));
  }
  const std::vector<double> bounds;
  std::vector<std::atomic<std::uint64_t>> counts;  // of each bucket alone; the last has no bound
  std::atomic<double> sum = 0;
};

}  // namespace internal

void Counter::Add(double amount) const {
  number_->value.fetch_add(amount, std::memory_order_relaxed);
}
void Gauge::Set(double value) const { number_->value.store(value, std::memory_order_relaxed); }
void Histogram::Observe(double value) const {
  const auto bucket = std::ranges::lower_bound(buckets_->bounds, value) - buckets_->bounds.begin();
  buckets_->counts[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  buckets_->sum.fetch_add(value, std::memory_order_relaxed);
}

std::vector<double> ExponentialBuckets(double first, double factor, int count) {
  std::vector<double> bounds;
  bounds.reserve(static_cast<std::size_t>(count));
  for (double bound = first; count > 0; --count, bound *= factor) bounds.push_back(bound);
  return bounds;
}

namespace {

LabelViews ViewsOf(const Labels& labels) { return {labels.begin(), labels.end()}; }

// The series of one name. None is ever removed: things that come and go are in snapshots.
struct Family {
  Type type;
  std::string help;
  std::map<Labels, std::unique_ptr<internal::Number>> numbers;
  std::map<Labels, std::unique_ptr<internal::Buckets>> histograms;
};

void WriteHistogram(const Labels& labels, const internal::Buckets& buckets, TextWriter& to) {
  LabelViews with_bound = ViewsOf(labels);
  with_bound.emplace_back("le", "");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < buckets.counts.size(); ++i) {
    count += buckets.counts[i].load(std::memory_order_relaxed);
    const std::string bound =
        i < buckets.bounds.size() ? NumberText(buckets.bounds[i]) : std::string("+Inf");
    with_bound.back().second = bound;
    to.Sample(with_bound, static_cast<double>(count), "_bucket");
  }
  with_bound.pop_back();
  to.Sample(with_bound, buckets.sum.load(std::memory_order_relaxed), "_sum");
  to.Sample(with_bound, static_cast<double>(count), "_count");
}

}  // namespace

struct Registry::Impl {
  Family& FamilyOf(const std::string& name, const std::string& help, Type type) {
    BASALT_CHECK(IsMetricName(name));
    const auto [it, is_new] = families.try_emplace(name, Family{.type = type, .help = help});
    BASALT_CHECK(it->second.type == type);
    return it->second;
  }
  internal::Number* NumberOf(const std::string& name, const std::string& help, Type type,
                             const Labels& labels) {
    const std::lock_guard lock(mutex);
    auto& number = FamilyOf(name, help, type).numbers[labels];
    if (!number) number = std::make_unique<internal::Number>();
    return number.get();
  }

  mutable std::mutex mutex;
  std::map<std::string, Family> families;
  std::map<std::string, std::shared_ptr<const Snapshot>> snapshots;  // by their source
};

Registry::Registry() : impl_(std::make_unique<Impl>()) {}
Registry::~Registry() = default;

Counter Registry::GetCounter(const std::string& name, const std::string& help,
                             const Labels& labels) {
  return Counter(impl_->NumberOf(name, help, Type::kCounter, labels));
}

Gauge Registry::GetGauge(const std::string& name, const std::string& help, const Labels& labels) {
  return Gauge(impl_->NumberOf(name, help, Type::kGauge, labels));
}

Histogram Registry::GetHistogram(const std::string& name, const std::string& help,
                                 const Labels& labels, const std::vector<double>& buckets) {
  const std::lock_guard lock(impl_->mutex);
  auto& histogram = impl_->FamilyOf(name, help, Type::kHistogram).histograms[labels];
  if (!histogram) histogram = std::make_unique<internal::Buckets>(buckets);
  return Histogram(histogram.get());
}

void Registry::Publish(const std::string& source, std::shared_ptr<const Snapshot> snapshot) {
  {
    const std::lock_guard lock(impl_->mutex);
    std::swap(impl_->snapshots[source], snapshot);
  }
  // What was published before ends here, where nobody waits for it.
}

std::string Registry::Text() const {
  TextWriter writer;
  std::vector<std::shared_ptr<const Snapshot>> snapshots;
  {
    const std::lock_guard lock(impl_->mutex);
    for (const auto& [name, family] : impl_->families) {
      writer.Family(name, family.help, family.type);
      for (const auto& [labels, number] : family.numbers) {
        writer.Sample(ViewsOf(labels), number->value.load(std::memory_order_relaxed));
      }
      for (const auto& [labels, buckets] : family.histograms) {
        WriteHistogram(labels, *buckets, writer);
      }
    }
    for (const auto& [source, snapshot] : impl_->snapshots) snapshots.push_back(snapshot);
  }
  for (const auto& snapshot : snapshots) {
    if (snapshot) snapshot->Write(writer);
  }
  return std::move(writer).Take();
}

}  // namespace basalt::metrics
