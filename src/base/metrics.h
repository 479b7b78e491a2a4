#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Metrics in Prometheus' terms, without its headers. All of it may be used from any thread.
namespace basalt::metrics {

using Labels = std::map<std::string, std::string>;

// Handles: cheap to copy, valid as long as their Registry. Look one up once and keep it.
class Counter {
 public:
  void Add(double amount = 1) const;

 private:
  friend class Registry;
  explicit Counter(void* impl) : impl_(impl) {}
  void* impl_;
};

class Gauge {
 public:
  void Set(double value) const;

 private:
  friend class Registry;
  explicit Gauge(void* impl) : impl_(impl) {}
  void* impl_;
};

class Histogram {
 public:
  void Observe(double value) const;

 private:
  friend class Registry;
  explicit Histogram(void* impl) : impl_(impl) {}
  void* impl_;
};

// `count` bounds, each `factor` times the one before.
std::vector<double> ExponentialBuckets(double first, double factor, int count);

// All metrics of one process, or of one role in `basalt up`. The same name and labels give the same
// metric; `help` of the first use counts.
class Registry {
 public:
  Registry();
  ~Registry();

  Counter GetCounter(const std::string& name, const std::string& help, const Labels& labels = {});
  Gauge GetGauge(const std::string& name, const std::string& help, const Labels& labels = {});
  Histogram GetHistogram(const std::string& name, const std::string& help, const Labels& labels,
                         const std::vector<double>& buckets);
  // Forgets one series, e.g. of a queue that was deleted.
  void RemoveGauge(const std::string& name, const Labels& labels);

  // What GET /metrics answers (text format 0.0.4).
  std::string Text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::metrics
