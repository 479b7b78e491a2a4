#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Metrics in Prometheus' terms. All of it may be used from any thread.
namespace basalt::metrics {

class TextWriter;

using Labels = std::map<std::string, std::string>;

namespace internal {
struct Number;
struct Buckets;
}  // namespace internal

// Handles: cheap to copy, valid as long as their Registry. Look one up once and keep it. A change
// is an atomic operation or two.
//
// A sum that only grows.
class Counter {
 public:
  void Add(double amount = 1) const;

 private:
  friend class Registry;
  explicit Counter(internal::Number* number) : number_(number) {}
  internal::Number* number_;
};

// A number that is set to what is the case now.
class Gauge {
 public:
  void Set(double value) const;

 private:
  friend class Registry;
  explicit Gauge(internal::Number* number) : number_(number) {}
  internal::Number* number_;
};

// Counts values by the bucket that they fall into, and adds them up.
class Histogram {
 public:
  void Observe(double value) const;

 private:
  friend class Registry;
  explicit Histogram(internal::Buckets* buckets) : buckets_(buckets) {}
  internal::Buckets* buckets_;
};

// `count` bounds, each `factor` times the one before.
std::vector<double> ExponentialBuckets(double first, double factor, int count);

// What was the case at one moment, of things that come and go: queues, jobs. Never changes once it
// is published. Its maker pays for a copy of a few numbers, its reader for the text.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  // Its families, each with its series. Any thread, any number of times.
  virtual void Write(TextWriter& to) const = 0;
};

// All metrics of one process, or of all roles in `basalt up`. The same name and labels give the
// same metric; `help` of the first use counts. Owned by the process; outlives all its roles.
class Registry {
 public:
  Registry();
  ~Registry();

  Counter GetCounter(const std::string& name, const std::string& help, const Labels& labels = {});
  Gauge GetGauge(const std::string& name, const std::string& help, const Labels& labels = {});
  Histogram GetHistogram(const std::string& name, const std::string& help, const Labels& labels,
                         const std::vector<double>& buckets);

  // Takes the place of what `source` published before, whatever was in that. Its families must have
  // names of their own.
  void Publish(const std::string& source, std::shared_ptr<const Snapshot> snapshot);

  // What GET /metrics answers (text format 0.0.4), in time linear in its length. Meanwhile the
  // other calls wait until the registry's own metrics are written, not for the snapshots; handles
  // never wait.
  std::string Text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::metrics
