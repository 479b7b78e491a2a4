#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "webhook/cycle_check.h"
#include "webhook/fields.h"
#include "webhook/flow_admission.h"

namespace basalt::webhook {

namespace json = boost::json;

Review ValidateJobFlow(const json::object& flow) {
  Review review;
  const json::object& spec = ObjectAt(flow, "spec");
  const std::string_view policy = TextAt(spec, "jobRetainPolicy");
  if (!policy.empty() && policy != "retain" && policy != "delete") {
    review.Refuse(fmt::format("spec.jobRetainPolicy: \"{}\": want retain or delete", policy));
  }
  const json::array& flows = ListAt(spec, "flows");
  std::set<std::string_view> names;
  for (const json::value& one : flows) names.insert(TextAt(AsObject(one), "name"));
  std::map<std::string, std::vector<std::string>> needs;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const json::object& one = AsObject(flows[i]);
    const std::string_view name = TextAt(one, "name");
    for (const json::value& value : ListAt(ObjectAt(one, "dependsOn"), "targets")) {
      if (!value.is_string()) continue;
      const std::string_view target = value.get_string();
      const std::string at = fmt::format("spec.flows[{}].dependsOn.targets", i);
      if (target == name) {
        review.Refuse(fmt::format("{}: \"{}\": a flow cannot wait for itself", at, target));
      } else if (!names.contains(target)) {
        review.Refuse(fmt::format("{}: \"{}\": there is no such flow here", at, target));
      } else {
        needs[std::string(name)].emplace_back(target);
      }
    }
  }
  if (const std::string circle = FindCycle(needs); !circle.empty()) {
    review.Refuse(fmt::format("spec.flows: dependsOn goes in a circle: {}", circle));
  }
  return review;
}

}  // namespace basalt::webhook
