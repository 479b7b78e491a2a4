#include "controllers/cronjob/cron_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/resource.h"
#include "kube/types/time.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

constexpr std::string_view kScheduledAt = "volcano.sh/cronjob-scheduled-timestamp";

bool Lists(const kube::VcCronJob& cron, const std::string& uid) {
  return std::ranges::find(cron.active, uid, &kube::ObjectReference::uid) != cron.active.end();
}

// The oldest of those beyond `most`.
void KeepNewest(CronJobs jobs, std::int32_t most, CronJobs& too_old) {
  std::ranges::sort(jobs, {}, [](const auto& job) {
    return std::pair(job->meta.creation_timestamp, job->meta.name);
  });
  for (std::size_t i = 0; i + static_cast<std::size_t>(std::max(most, 0)) < jobs.size(); ++i) {
    too_old.push_back(jobs[i]);
  }
}

json::object& Part(json::object& object, std::string_view key) {
  json::value& value = object[key];
  return value.is_object() ? value.get_object() : value.emplace_object();
}

}  // namespace

CronBooks BalanceBooks(const kube::VcCronJob& cron, const CronJobs& jobs) {
  CronBooks books{.last_successful = cron.last_successful_time};
  CronJobs successful;
  CronJobs failed;
  for (const auto& job : jobs) {
    if (!kube::HasEnded(job->status.phase)) {
      if (!job->meta.deleting()) books.active.push_back(job);
      continue;
    }
    if (Lists(cron, job->meta.uid)) books.ended.push_back(job);
    if (job->meta.deleting()) continue;
    if (job->status.phase == kube::VcJobPhase::kCompleted) {
      successful.push_back(job);
      books.last_successful =
          std::max(books.last_successful.value_or(Time{}), job->status.last_transition_time);
    } else {
      failed.push_back(job);
    }
  }
  KeepNewest(std::move(successful), cron.successful_jobs_history_limit, books.too_old);
  KeepNewest(std::move(failed), cron.failed_jobs_history_limit, books.too_old);
  return books;
}

CronDue FindDue(const kube::VcCronJob& cron, const kube::CronSchedule& schedule,
                const kube::TimeZone& zone, std::optional<Time> since, Time now) {
  constexpr int kMany = 100;
  Time earliest = cron.last_schedule_time.value_or(cron.meta.creation_timestamp);
  if (since) earliest = std::max(earliest, *since);
  const Time base = earliest;
  if (cron.starting_deadline_seconds) {
    // More than that is the same as no deadline.
    constexpr std::int64_t kMostSeconds = 10LL * 366 * 24 * 3600;
    const std::int64_t deadline = std::min(*cron.starting_deadline_seconds, kMostSeconds);
    earliest = std::max(earliest, now - std::chrono::seconds(deadline) - 1ns);
  }
  CronDue found;
  const std::optional<Time> latest = schedule.Latest(base, now, zone);
  if (latest && *latest > earliest) found.due = latest;
  found.next = schedule.Next(latest.value_or(base), zone);
  std::optional<Time> at = base;
  for (int missed = 0; found.due && at && *at < *found.due; ++missed) {
    if (missed > kMany) {
      found.many_missed = true;
      break;
    }
    at = schedule.Next(*at, zone);
  }
  return found;
}

std::string CronJobName(const kube::VcCronJob& cron, Time due) {
  const auto minute = std::chrono::floor<std::chrono::minutes>(due).time_since_epoch().count();
  return fmt::format("{}-{}", cron.meta.name, minute);
}

std::string LocalTime(Time time, const kube::TimeZone& zone) {
  const std::chrono::seconds offset = zone.At(time).offset;
  std::string text = kube::FormatTime(time + offset);
  if (offset == std::chrono::seconds(0)) return text;
  text.pop_back();  // the Z
  const auto minutes = std::abs(offset.count()) / 60;
  return text +
         fmt::format("{}{:02}:{:02}", offset.count() < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string CronJobBody(const kube::VcCronJob& cron, Time due, const kube::TimeZone& zone) {
  const kube::Resource& kind = kube::resources::kVcJobs;
  const kube::Resource& owner = kube::resources::kVcCronJobs;
  boost::system::error_code error;
  json::value parsed = json::parse(cron.job_template, error);
  json::object from = !error && parsed.is_object() ? parsed.get_object() : json::object();
  json::object& template_meta = Part(from, "metadata");
  json::object meta;
  for (const std::string_view key : {"labels", "annotations"}) {
    if (const json::value* map = template_meta.if_contains(key)) meta[key] = *map;
  }
  meta["name"] = CronJobName(cron, due);
  meta["namespace"] = cron.meta.ns;
  Part(meta, "annotations")[kScheduledAt] = LocalTime(due, zone);
  meta["ownerReferences"] = json::array{json::object{{"apiVersion", owner.ApiVersion()},
                                                     {"kind", owner.kind},
                                                     {"name", cron.meta.name},
                                                     {"uid", cron.meta.uid},
                                                     {"controller", true},
                                                     {"blockOwnerDeletion", true}}};
  return json::serialize(json::object{{"apiVersion", kind.ApiVersion()},
                                      {"kind", kind.kind},
                                      {"metadata", std::move(meta)},
                                      {"spec", Part(from, "spec")}});
}

std::string CronStatusPatch(const kube::VcCronJob& cron, const CronJobs& active,
                            std::optional<Time> last_schedule,
                            std::optional<Time> last_successful) {
  const bool same_active =
      active.size() == cron.active.size() &&
      std::ranges::all_of(active, [&](const auto& job) { return Lists(cron, job->meta.uid); });
  if (same_active && last_schedule == cron.last_schedule_time &&
      last_successful == cron.last_successful_time) {
    return "";
  }
  const kube::Resource& kind = kube::resources::kVcJobs;
  json::array references;
  for (const auto& job : active) {
    references.push_back(json::object{{"apiVersion", kind.ApiVersion()},
                                      {"kind", kind.kind},
                                      {"namespace", job->meta.ns},
                                      {"name", job->meta.name},
                                      {"uid", job->meta.uid}});
  }
  json::object status{{"active", std::move(references)}};
  if (last_schedule) status["lastScheduleTime"] = kube::FormatTime(*last_schedule);
  if (last_successful) status["lastSuccessfulTime"] = kube::FormatTime(*last_successful);
  return json::serialize(json::object{
      {"metadata",
       json::object{{"uid", cron.meta.uid}, {"resourceVersion", cron.meta.resource_version}}},
      {"status", std::move(status)}});
}

}  // namespace basalt::controllers
