#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "controllers/job/job_pods.h"
#include "kube/types/codec.h"
#include "kube/types/vcjob.h"

// Jobs and pods for tests of what the job controller decides.
namespace basalt::controllers {

// "train" in namespace default; `spec` and `status` are what stands between the braces.
inline kube::VcJob MakeVcJob(std::string_view spec, std::string_view status = "") {
  const std::string text = fmt::format(
      R"({{"metadata": {{"name": "train", "namespace": "default", "uid": "job-uid"}},
           "spec": {{{}}}, "status": {{{}}}}})",
      spec, status);
  Result<kube::VcJob> job = kube::Decode<kube::VcJob>(text);
  EXPECT_TRUE(job) << job.error().message << text;
  return job.value_or(kube::VcJob());
}

inline kube::VcJob RunningJob(std::string_view spec) {
  return MakeVcJob(spec, R"("state": {"phase": "Running"})");
}

inline JobPod Pod(std::string name, std::string task, int index, kube::PodPhase phase) {
  JobPod pod;
  pod.uid = name + "-uid";
  pod.name = std::move(name);
  pod.task = std::move(task);
  pod.index = index;
  pod.phase = phase;
  pod.ready = phase == kube::PodPhase::kRunning;
  return pod;
}

inline JobPods PodsOf(std::initializer_list<JobPod> pods) {
  JobPods map;
  for (const JobPod& pod : pods) map[pod.name] = pod;
  return map;
}

}  // namespace basalt::controllers
