#pragma once

#include <string>
#include <string_view>
#include <vector>

// Kubernetes' rules for names. Each function returns what is wrong with a name, in Kubernetes'
// words; nothing when all is well.
namespace basalt::kube {

// "app", "example.com/app".
std::vector<std::string> LabelKeyProblems(std::string_view key);
std::vector<std::string> LabelValueProblems(std::string_view value);
// "web-0.example": the names of most objects.
std::vector<std::string> Dns1123SubdomainProblems(std::string_view name);
// "web-0": the names of namespaces.
std::vector<std::string> Dns1123LabelProblems(std::string_view name);

}  // namespace basalt::kube
