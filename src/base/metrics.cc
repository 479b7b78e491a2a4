#include "base/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace basalt::metrics {

void Counter::Add(double amount) const {
  static_cast<prometheus::Counter*>(impl_)->Increment(amount);
}
void Gauge::Set(double value) const { static_cast<prometheus::Gauge*>(impl_)->Set(value); }
void Histogram::Observe(double value) const {
  static_cast<prometheus::Histogram*>(impl_)->Observe(value);
}

std::vector<double> ExponentialBuckets(double first, double factor, int count) {
  std::vector<double> bounds;
  bounds.reserve(static_cast<std::size_t>(count));
  for (double bound = first; count > 0; --count, bound *= factor) bounds.push_back(bound);
  return bounds;
}

struct Registry::Impl {
  // Merge: asking for a family that is there gives that one.
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};
};

Registry::Registry() : impl_(std::make_unique<Impl>()) {}
Registry::~Registry() = default;

Counter Registry::GetCounter(const std::string& name, const std::string& help,
                             const Labels& labels) {
  auto& family = prometheus::BuildCounter().Name(name).Help(help).Register(impl_->registry);
  return Counter(&family.Add(labels));
}

Gauge Registry::GetGauge(const std::string& name, const std::string& help, const Labels& labels) {
  auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(impl_->registry);
  return Gauge(&family.Add(labels));
}

Histogram Registry::GetHistogram(const std::string& name, const std::string& help,
                                 const Labels& labels, const std::vector<double>& buckets) {
  auto& family = prometheus::BuildHistogram().Name(name).Help(help).Register(impl_->registry);
  return Histogram(&family.Add(labels, buckets));
}

void Registry::RemoveGauge(const std::string& name, const Labels& labels) {
  auto& family = prometheus::BuildGauge().Name(name).Register(impl_->registry);
  family.Remove(&family.Add(labels));
}

std::string Registry::Text() const {
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace basalt::metrics
