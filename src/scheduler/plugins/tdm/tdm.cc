#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include "base/clock.h"
#include "kube/types/time.h"
#include "model/annotations.h"
#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kZonePrefix = "tdm.revocable-zone.";
constexpr std::string_view kEvictPeriod = "tdm.evict.period";

std::string_view ZoneOf(const Node& node) {
  return node.object ? node.object->meta.labels.Get(model::annotations::kRevocableZone)
                     : std::string_view();
}

bool IsTrue(std::string_view text) {
  return text == "true" || text == "True" || text == "TRUE" || text == "t" || text == "T" ||
         text == "1";
}

// Whether the task may use revocable nodes.
bool UsesRevocableZones(const Task& task) {
  const kube::StringMap& annotations = task.pod->meta.annotations;
  if (const auto zone = annotations.Find(model::annotations::kRevocableZone)) return *zone == "*";
  return IsTrue(annotations.Get(model::annotations::kPreemptable));
}

bool MayLeave(const Task& task) {
  return task.preemptable && task.status() == model::TaskStatus::kRunning;
}

bool IsPreemptable(const Job& job) {
  if (!job.group) return false;
  const kube::ObjectMeta& meta = job.group->meta;
  if (const auto text = meta.annotations.Find(model::annotations::kPreemptable)) {
    return IsTrue(*text);
  }
  return IsTrue(meta.labels.Get(model::annotations::kPreemptable));
}

std::optional<int> ParseNumber(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "9:30" to minutes.
std::optional<int> ParseHour(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos || text.size() != colon + 3) return std::nullopt;
  const auto hour = ParseNumber(text.substr(0, colon));
  const auto minute = ParseNumber(text.substr(colon + 1));
  if (!hour || !minute || *hour < 0 || *hour > 23 || *minute < 0 || *minute > 59) {
    return std::nullopt;
  }
  return *hour * 60 + *minute;
}

// A number, or a percentage of the job's tasks rounded up.
int ParseCount(std::string_view text, int tasks) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const int number = ParseNumber(text).value_or(0);
  return percent ? (number * tasks + 99) / 100 : number;
}

// How many tasks the job's disruption budget lets go at once.
int MostEvictions(const Job& job) {
  const int running = job.counts[model::TaskStatus::kRunning];
  const int total = job.counts.total();
  const kube::StringMap& annotations = job.group->meta.annotations;
  // As in Volcano: where both are given the minimum counts.
  if (const auto least = annotations.Find(model::annotations::kJdbMinAvailable)) {
    const int available = ParseCount(*least, total);
    if (running >= available) return running - available;
  } else if (const auto most = annotations.Find(model::annotations::kJdbMaxUnavailable)) {
    const int done =
        job.counts[model::TaskStatus::kSucceeded] + job.counts[model::TaskStatus::kFailed];
    return std::max(0, ParseCount(*most, total) - (total - done - running));
  }
  return 1;
}

// Time division multiplexing: nodes of a revocable zone (label volcano.sh/revocable-zone) take
// preemptable tasks during certain hours; outside of them these tasks leave, as many at a time as
// the job's disruption budget allows. Elsewhere tasks that are not preemptable may preempt those
// that are. Counterpart: Volcano plugins/tdm. Hours are in UTC (Volcano: the scheduler's local
// time).
//
// Arguments: tdm.revocable-zone.NAME ("10:00-21:00"; an end before the start is on the next day),
// tdm.evict.period ("1m").
class Tdm final : public SessionPlugin,
                  public NodeFilter,
                  public NodeScorer,
                  public PreemptionVictims,
                  public PeriodicVictims,
                  public JobOrder,
                  public JobPipelining,
                  public JobStarvation,
                  public TimeDependent {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    const Arguments& arguments = config.arguments;
    std::string text;
    if (auto ok = arguments.Read({{kEvictPeriod, &text}}, {kZonePrefix}); !ok) return ok;
    for (const auto& entry : arguments.values()) {
      const std::string_view key = entry.key();
      if (!key.starts_with(kZonePrefix)) continue;
      std::string hours;
      if (auto ok = arguments.Get(key, &hours); !ok) return ok;
      const std::size_t dash = hours.find('-');
      const auto start = ParseHour(std::string_view(hours).substr(0, dash));
      const auto end =
          dash == hours.npos ? std::nullopt : ParseHour(std::string_view(hours).substr(dash + 1));
      if (!start || !end) {
        return Fail(
            ErrorCode::kInvalidArgument,
            fmt::format("argument {}: \"{}\" are no hours such as 10:00-21:00", key, hours));
      }
      zones_[std::string(key.substr(kZonePrefix.size()))] = {*start, *end};
    }
    if (!arguments.Has(kEvictPeriod)) return {};
    const auto period = kube::ParseDuration(text);
    if (!period) return std::unexpected(period.error().Wrap(kEvictPeriod));
    evict_period_ = *period;
    return {};
  }

  std::vector<std::string> ReadsFromPod() const override {
    return {std::string(model::annotations::kRevocableZone),
            std::string(model::annotations::kPreemptable)};
  }

  void FilterParts(const Task&, std::vector<Part>* parts) const override {
    // The hours do not change within a session.
    parts->push_back({DependsOn::kStatic, 0});
  }
  Verdict Filter(const Task& task, const Node& node, int) const override {
    const std::string_view zone = ZoneOf(node);
    if (zone.empty()) return Verdict::Ok();
    if (!IsActive(zone)) {
      return Verdict::Unresolvable(
          view().reasons().Keep(fmt::format("current time beyond revocable zone {}", zone)));
    }
    if (!UsesRevocableZones(task)) {
      return Verdict::Unresolvable("not allow to dispatch to revocable node");
    }
    return Verdict::Ok();
  }
  DependsOn ScoreDependsOn(const Task&) const override { return DependsOn::kStatic; }
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    if (!UsesRevocableZones(task)) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string_view zone = ZoneOf(cluster().node(nodes[i]));
      if (!zone.empty() && IsActive(zone)) scores[i] += 100;
    }
  }
  bool BoundScores(const Task& task, std::span<const model::NodeBox>,
                   std::span<double> bounds) const override {
    if (!UsesRevocableZones(task)) return true;
    for (double& bound : bounds) bound += 100;
    return true;
  }
  VictimOpinion PermitPreemption(const Task& preemptor, Candidates candidates) const override {
    if (preemptor.preemptable || UsesRevocableZones(preemptor)) return {};
    const VictimOpinion elsewhere = VictimsAmong(candidates, [&](const Task& task) {
      if (!MayLeave(task)) return false;
      const Node& node = cluster().node(task.node());
      return node.exists() && ZoneOf(node).empty();
    });
    return AsBudgetsAllow(elsewhere.victims);
  }
  // Preemptable tasks on nodes of zones whose hours are over; whatever is running elsewhere.
  std::vector<const Task*> FindVictims(Candidates) override {
    if (last_evictions_ + evict_period_ > view().now()) return {};
    last_evictions_ = view().now();
    std::vector<const Task*> tasks;
    for (const NodeId id : cluster().nodes()) {
      const Node& node = cluster().node(id);
      const std::string_view zone = ZoneOf(node);
      if (zone.empty() || !zones_.contains(zone) || IsActive(zone)) continue;
      for (const Task& task : cluster().TasksOf(node.tasks)) {
        if (MayLeave(task)) tasks.push_back(&task);
      }
    }
    std::ranges::sort(tasks,
                      [](const Task* a, const Task* b) { return model::TaskBefore(*a, *b); });
    return AsBudgetsAllow(tasks).victims;
  }
  // Jobs that are not preemptable go first.
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    return IsPreemptable(a) <=> IsPreemptable(b);
  }
  Vote IsJobPipelined(const Job& job) const override {
    return job.IsPipelined() ? Vote::kPermit : Vote::kReject;
  }
  bool IsJobStarving(const Job& job) const override {
    return !IsPreemptable(job) && !job.pending.empty();
  }
  // When the hours of a zone begin or are over.
  std::optional<Time> ChangesAt(const Job&) const override {
    std::optional<Time> next;
    const auto day = std::chrono::floor<std::chrono::days>(view().now());
    const auto consider = [&](Time time) {
      if (time <= view().now()) time += std::chrono::days(1);
      if (!next || time < *next) next = time;
    };
    for (const auto& [zone, hours] : zones_) {
      consider(day + std::chrono::minutes(hours.start));
      // The last minute's first moment belongs to the hours still.
      consider(day + std::chrono::minutes(hours.end) + Duration{1});
      // Hours that go on into the next day are looked at from that day on.
      if (hours.start >= hours.end) consider(day);
    }
    return next;
  }
  std::int64_t KindOf(const Job& job) const override { return IsPreemptable(job); }

 private:
  // Minutes of the day.
  struct Hours {
    int start = 0;
    int end = 0;
  };
  bool IsActive(std::string_view zone) const {
    const auto it = zones_.find(zone);
    if (it == zones_.end()) return false;
    const auto day = std::chrono::floor<std::chrono::days>(view().now());
    const auto start = day + std::chrono::minutes(it->second.start);
    auto end = day + std::chrono::minutes(it->second.end);
    if (it->second.start >= it->second.end) end += std::chrono::days(1);
    return view().now() >= start && view().now() <= end;
  }
  VictimOpinion AsBudgetsAllow(Candidates tasks) const {
    std::map<model::JobId, int> left;
    return VictimsAmong(tasks, [&](const Task& task) {
      const Job* job = view().JobOf(task);
      return job && left.try_emplace(job->id, MostEvictions(*job)).first->second-- > 0;
    });
  }

  std::map<std::string, Hours, std::less<>> zones_;
  Duration evict_period_ = std::chrono::minutes(1);
  Time last_evictions_{};
};

}  // namespace

std::unique_ptr<Plugin> MakeTdm() { return std::make_unique<Tdm>(); }

}  // namespace basalt::scheduler::plugins
