#include "controllers/job/plugins/hosts.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace basalt::controllers {
namespace {

namespace json = boost::json;

std::string TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::string HostnameOf(const kube::VcJob& job, const kube::VcJobTask& task, const HostNames& names,
                       std::int32_t index) {
  return names.hostname.empty() ? fmt::format("{}-{}-{}", job.meta.name, task.name, index)
                                : names.hostname;
}

}  // namespace

HostNames HostNamesOf(const kube::VcJob& job, const kube::VcJobTask& task) {
  HostNames names{.subdomain = job.meta.name};
  const std::string& raw = task.pod_template.raw;
  // Few templates have either: the others need not be read.
  if (raw.find("\"hostname\"") == std::string::npos &&
      raw.find("\"subdomain\"") == std::string::npos) {
    return names;
  }
  boost::system::error_code error;
  const json::value parsed = json::parse(raw, error);
  if (error || !parsed.is_object()) return names;
  const json::value* spec = parsed.get_object().if_contains("spec");
  if (!spec || !spec->is_object()) return names;
  names.hostname = TextOf(spec->get_object(), "hostname");
  if (std::string own = TextOf(spec->get_object(), "subdomain"); !own.empty()) {
    names.subdomain = std::move(own);
  }
  return names;
}

std::vector<std::string> HostnamesIn(const kube::VcJob& job, const kube::VcJobTask& task) {
  const HostNames names = HostNamesOf(job, task);
  std::vector<std::string> hostnames;
  for (std::int32_t index = 0; index < task.replicas; ++index) {
    hostnames.push_back(HostnameOf(job, task, names, index));
    if (!names.hostname.empty()) break;
  }
  return hostnames;
}

std::vector<std::string> HostsOf(const kube::VcJob& job, const kube::VcJobTask& task) {
  const std::string subdomain = HostNamesOf(job, task).subdomain;
  std::vector<std::string> hosts = HostnamesIn(job, task);
  for (std::string& host : hosts) host += "." + subdomain;
  return hosts;
}

std::string FirstHostOf(const kube::VcJob& job, const kube::VcJobTask& task) {
  const HostNames names = HostNamesOf(job, task);
  return HostnameOf(job, task, names, 0) + "." + names.subdomain;
}

}  // namespace basalt::controllers
