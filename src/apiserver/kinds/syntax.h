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
// The same, with a plain word for dots.
Complaints NameIsDnsLabelWithoutDots(std::string_view name, bool prefix);
// What may not be in a URL path: RBAC names.
Complaints NameIsPathSegment(std::string_view name, bool prefix);

// What values must look like.
Complaints IpAddress(std::string_view text);
Complaints IpAddressOrNone(std::string_view text);  // or the word None
Complaints Cidr(std::string_view text);
Complaints SearchPath(std::string_view text);  // of DNS: may end with a dot
Complaints Trimmed(std::string_view text);     // no blank at its ends
Complaints PathWithoutBacksteps(std::string_view text);
Complaints RelativePath(std::string_view text);
Complaints DomainOfThreeSegments(std::string_view text);

}  // namespace basalt::apiserver::syntax
