#pragma once

#include <string>
#include <vector>

#include "kube/types/vcjob.h"

namespace basalt::controllers {

// How the pods of a task are called in the network: by their own names, unless the template has a
// hostname or a subdomain.
struct HostNames {
  std::string hostname;   // "": the pod's name
  std::string subdomain;  // the job's name where the template has none
};
HostNames HostNamesOf(const kube::VcJob& job, const kube::VcJobTask& task);

// HOSTNAME of each pod of the task; one alone where the template names it.
std::vector<std::string> HostnamesIn(const kube::VcJob& job, const kube::VcJobTask& task);
// HOSTNAME.SUBDOMAIN of each, and of the first.
std::vector<std::string> HostsOf(const kube::VcJob& job, const kube::VcJobTask& task);
std::string FirstHostOf(const kube::VcJob& job, const kube::VcJobTask& task);

}  // namespace basalt::controllers
