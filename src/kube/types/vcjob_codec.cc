#include <fmt/format.h>

#include <algorithm>

#include "kube/types/codec_impl.h"
#include "kube/types/jobflow.h"
#include "kube/types/pod_codec.h"
#include "kube/types/vccronjob.h"
#include "kube/types/vcjob.h"

// Volcano's batch kinds: Job, JobTemplate, JobFlow and CronJob.
namespace basalt::kube::json {

bool ReadField(Reader& reader, std::string_view key, Value& value, NetworkTopology& out);

namespace {

// An object as it was written; it can be read once more afterwards.
bool ReadRaw(Reader& reader, Value& value, Object& object, std::string& raw) {
  if (value.get_object().get(object)) return reader.WrongType(value, "an object");
  std::string_view text;
  if (const auto error = object.raw_json().get(text)) return reader.Broken(error);
  raw = text;
  bool empty = false;
  if (const auto error = object.reset().get(empty)) return reader.Broken(error);
  return true;
}

bool ReadRaw(Reader& reader, Value& value, std::string& raw) {
  Object object;
  return ReadRaw(reader, value, object, raw);
}

bool ReadPhase(Reader& reader, Value& value, VcJobPhase& out) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  out = ParseVcJobPhase(text);
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJobPolicy& out) {
  if (key == "action") return Read(reader, value, out.action);
  if (key == "event") {
    std::string event;
    if (!Read(reader, value, event)) return false;
    if (!event.empty()) out.events.insert(out.events.begin(), std::move(event));
    return true;
  }
  if (key == "events") {
    std::vector<std::string> events;
    if (!Read(reader, value, events)) return false;
    out.events.insert(out.events.end(), events.begin(), events.end());
    return true;
  }
  if (key == "exitCode") return Read(reader, value, out.exit_code);
  if (key == "timeout") return Read(reader, value, out.timeout);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJobTask::DependsOn& out) {
  if (key == "name") return Read(reader, value, out.names);
  if (key == "iteration") return ReadIs(reader, value, "any", out.any);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value,
               VcJobTask::PartitionPolicy& out) {
  if (key == "totalPartitions") return Read(reader, value, out.total_partitions);
  if (key == "partitionSize") return Read(reader, value, out.partition_size);
  if (key == "minPartitions") return Read(reader, value, out.min_partitions);
  if (key == "networkTopology") return Read(reader, value, out.network_topology);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJobTask& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "replicas") return Read(reader, value, out.replicas);
  if (key == "minAvailable") return Read(reader, value, out.min_available);
  if (key == "template") return Read(reader, value, out.pod_template);
  if (key == "policies") return Read(reader, value, out.policies);
  if (key == "maxRetry") return Read(reader, value, out.max_retry);
  if (key == "topologyPolicy") return Read(reader, value, out.topology_policy);
  if (key == "dependsOn") return Read(reader, value, out.depends_on);
  if (key == "partitionPolicy") return Read(reader, value, out.partition_policy);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJobVolume& out) {
  if (key == "mountPath") return Read(reader, value, out.mount_path);
  if (key == "volumeClaimName") return Read(reader, value, out.claim_name);
  if (key == "volumeClaim") return ReadRaw(reader, value, out.claim);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJobSpec& out) {
  if (key == "schedulerName") return Read(reader, value, out.scheduler_name);
  if (key == "queue") return Read(reader, value, out.queue);
  if (key == "priorityClassName") return Read(reader, value, out.priority_class_name);
  if (key == "minAvailable") return Read(reader, value, out.min_available);
  if (key == "minSuccess") return Read(reader, value, out.min_success);
  if (key == "maxRetry") return Read(reader, value, out.max_retry);
  if (key == "ttlSecondsAfterFinished") return Read(reader, value, out.ttl_seconds_after_finished);
  if (key == "policies") return Read(reader, value, out.policies);
  if (key == "volumes") return Read(reader, value, out.volumes);
  if (key == "networkTopology") return Read(reader, value, out.network_topology);
  if (key == "plugins") {
    out.plugins.clear();
    const bool ok = ReadObject(reader, value, [&](std::string_view name, Value& arguments) {
      auto& plugin = out.plugins.emplace_back();
      plugin.first = name;
      return Read(reader, arguments, plugin.second);
    });
    std::ranges::sort(out.plugins);
    return ok;
  }
  if (key == "tasks") {
    if (!Read(reader, value, out.tasks)) return false;
    for (std::size_t i = 0; i < out.tasks.size(); ++i) {
      if (out.tasks[i].name.empty()) out.tasks[i].name = fmt::format("default{}", i);
    }
    return true;
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value,
               VcJobStatus::PhaseCondition& out) {
  if (key == "status") return ReadPhase(reader, value, out.phase);
  if (key == "lastTransitionTime") return Read(reader, value, out.last_transition_time);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJobStatus& out) {
  if (key == "state") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "phase") return ReadPhase(reader, field, out.phase);
      if (name == "lastTransitionTime") return Read(reader, field, out.last_transition_time);
      if (name == "reason") return Read(reader, field, out.reason);
      if (name == "message") return Read(reader, field, out.message);
      return true;
    });
  }
  if (key == "minAvailable") return Read(reader, value, out.min_available);
  if (key == "pending") return Read(reader, value, out.pending);
  if (key == "running") return Read(reader, value, out.running);
  if (key == "succeeded") return Read(reader, value, out.succeeded);
  if (key == "failed") return Read(reader, value, out.failed);
  if (key == "terminating") return Read(reader, value, out.terminating);
  if (key == "unknown") return Read(reader, value, out.unknown);
  if (key == "taskStatusCount") {
    out.task_status_count.clear();
    const bool ok = ReadObject(reader, value, [&](std::string_view task, Value& state) {
      VcJobStatus::TaskCount& count = out.task_status_count.emplace_back();
      count.task = task;
      return ReadObject(reader, state, [&](std::string_view name, Value& field) {
        return name == "phase" ? Read(reader, field, count.phases) : true;
      });
    });
    std::ranges::sort(out.task_status_count, {}, &VcJobStatus::TaskCount::task);
    return ok;
  }
  if (key == "version") return Read(reader, value, out.version);
  if (key == "retryCount") return Read(reader, value, out.retry_count);
  if (key == "runningDuration") return Read(reader, value, out.running_duration);
  if (key == "controlledResources") return Read(reader, value, out.controlled_resources);
  if (key == "conditions") return Read(reader, value, out.conditions);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, VcJob& out) {
  if (key == "spec") return Read(reader, value, out.spec);
  if (key == "status") return Read(reader, value, out.status);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, JobTemplate& out) {
  if (key == "spec") {
    Object spec;
    if (!ReadRaw(reader, value, spec, out.raw_spec)) return false;
    return ReadFields(reader, spec, [&](std::string_view name, Value& field) {
      return ReadField(reader, name, field, out.spec);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "jobDependsOnList" ? Read(reader, field, out.job_depends_on_list) : true;
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, JobFlow::Flow& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "dependsOn") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "targets") return Read(reader, field, out.targets);
      if (name == "probe") out.has_probe = true;
      return true;
    });
  }
  if (key == "patch") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "jobSpec" ? ReadRaw(reader, field, out.patch) : true;
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, JobFlow& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "flows") return Read(reader, field, out.flows);
      if (name == "jobRetainPolicy") return ReadIs(reader, field, "delete", out.delete_jobs);
      return true;
    });
  }
  if (key == "status") {
    Object status;
    if (!ReadRaw(reader, value, status, out.raw_status)) return false;
    return ReadFields(reader, status, [&](std::string_view name, Value& field) {
      if (name != "state") return true;
      return ReadObject(reader, field, [&](std::string_view part, Value& text) {
        return part == "phase" ? Read(reader, text, out.phase) : true;
      });
    });
  }
  return true;
}

namespace {

bool ReadCronSpec(Reader& reader, std::string_view key, Value& value, VcCronJob& out) {
  using Concurrency = VcCronJob::Concurrency;
  if (key == "schedule") return Read(reader, value, out.schedule);
  if (key == "timeZone") return Read(reader, value, out.time_zone);
  if (key == "startingDeadlineSeconds") return Read(reader, value, out.starting_deadline_seconds);
  if (key == "concurrencyPolicy") {
    return ReadEnum(reader, value, out.concurrency,
                    {{"Forbid", Concurrency::kForbid}, {"Replace", Concurrency::kReplace}},
                    Concurrency::kAllow);
  }
  if (key == "suspend") return Read(reader, value, out.suspend);
  if (key == "jobTemplate") return ReadRaw(reader, value, out.job_template);
  if (key == "successfulJobsHistoryLimit") {
    return Read(reader, value, out.successful_jobs_history_limit);
  }
  if (key == "failedJobsHistoryLimit") return Read(reader, value, out.failed_jobs_history_limit);
  return true;
}

bool ReadCronStatus(Reader& reader, std::string_view key, Value& value, VcCronJob& out) {
  if (key == "active") return Read(reader, value, out.active);
  if (key == "lastScheduleTime") return Read(reader, value, out.last_schedule_time);
  if (key == "lastSuccessfulTime") return Read(reader, value, out.last_successful_time);
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, VcCronJob& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadCronSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadCronStatus(reader, name, field, out);
    });
  }
  return true;
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(VcJob);
BASALT_CODEC(JobTemplate);
BASALT_CODEC(JobFlow);
BASALT_CODEC(VcCronJob);
}  // namespace basalt::kube
