#pragma once

#include <string>
#include <string_view>
#include <vector>

// What names and keys must look like. Each check gives Kubernetes' complaints about the text; none
// means that it is fine.
namespace basalt::apiserver::syntax {

using Complaints = std::vector<std::string>;

Complaints Dns1123Label(std::string_view text);
Complaints Dns1123Subdomain(std::string_view text);
// May have underscores: DNS search paths.
Complaints Dns1123SubdomainWithUnderscore(std::string_view text);
Complaints Dns1035Label(std::string_view text);
// "example.com/MyName": keys of labels and annotations, resource names.
Complaints QualifiedName(std::string_view text);
// The same, worded as it is for metadata.labels.
Complaints LabelKey(std::string_view text);
Complaints LabelValue(std::string_view text);
Complaints EnvVarName(std::string_view text);
Complaints ConfigMapKey(std::string_view text);
Complaints PortName(std::string_view text);
Complaints PortNumber(std::int64_t port);
// The names of objects are checked with other words for their length, and as prefixes of generated
// names a trailing dash is fine.
Complaints NameIsDnsSubdomain(std::string_view name, bool prefix);
Complaints NameIsDnsLabel(std::string_view name, bool prefix);
Complaints NameIsDns1035Label(std::string_view name, bool prefix);
// What may not be in a URL path: RBAC names.
Complaints NameIsPathSegment(std::string_view name, bool prefix);

bool IsIpAddress(std::string_view text);
bool IsFullyQualified(std::string_view resource_name);

}  // namespace basalt::apiserver::syntax
