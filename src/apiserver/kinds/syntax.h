#pragma once

#include <string_view>

// What names, keys and values must look like. Each check tells what is expected of a text that does
// not look so; nothing: it does.
namespace basalt::apiserver::syntax {

using Complaint = std::string_view;

Complaint Dns1123Label(std::string_view text);
Complaint Dns1123Subdomain(std::string_view text);
// "example.com/MyName": keys of labels and annotations, resource names.
Complaint QualifiedName(std::string_view text);
Complaint LabelValue(std::string_view text);
Complaint EnvVarName(std::string_view text);
Complaint ConfigMapKey(std::string_view text);
Complaint PortName(std::string_view text);
Complaint PathSegment(std::string_view text);  // of a URL: names in RBAC
Complaint FinalizerName(std::string_view text);
Complaint DomainPath(std::string_view text);  // "example.com/my/name"

Complaint IpAddress(std::string_view text);
Complaint IpAddressOrNone(std::string_view text);  // or the word None
Complaint Cidr(std::string_view text);
Complaint SearchPath(std::string_view text);  // of DNS: may end with a dot
Complaint Trimmed(std::string_view text);     // no blank at its ends
Complaint PathWithoutBacksteps(std::string_view text);
Complaint RelativePath(std::string_view text);
Complaint DomainOfThreeSegments(std::string_view text);
Complaint HttpsUrl(std::string_view text);  // without a query

}  // namespace basalt::apiserver::syntax
