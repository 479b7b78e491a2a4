#include "cli/job_body.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "base/ascii.h"
#include "cli/json_fields.h"
#include "kube/types/quantity.h"

namespace basalt::cli {

namespace json = boost::json;

Result<json::object> ParseAmounts(std::string_view text, std::string_view flag) {
  json::object amounts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos || sign == 0) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: \"{}\": want RESOURCE=AMOUNT, as in cpu=1000m,memory=100Mi",
                              flag, part));
    }
    const std::string_view amount = part.substr(sign + 1);
    if (const auto quantity = kube::Quantity::Parse(amount); !quantity || quantity->Sign() < 0) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: {}: \"{}\": want an amount such as 1000m or 100Mi", flag,
                              part.substr(0, sign), amount));
    }
    amounts[part.substr(0, sign)] = amount;
  }
  return amounts;
}

Result<json::object> JobBody(const JobRunFlags& flags) {
  json::object resources;
  for (const auto& [key, text] :
       {std::pair<std::string_view, const std::string&>{"requests", flags.requests},
        {"limits", flags.limits}}) {
    auto amounts = ParseAmounts(text, fmt::format("--{}", key));
    if (!amounts) return std::unexpected(amounts.error());
    if (!amounts->empty()) resources[key] = std::move(*amounts);
  }
  json::object container{{"name", flags.name}, {"image", flags.image}};
  if (!resources.empty()) container["resources"] = std::move(resources);
  const json::object labels{{"job.volcano.sh", flags.name}};
  json::object task{
      {"name", flags.name},
      {"replicas", flags.replicas},
      {"template", json::object{{"metadata", json::object{{"labels", labels}}},
                                {"spec", json::object{{"restartPolicy", "Never"},
                                                      {"containers", json::array{container}}}}}}};
  return json::object{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                      {"kind", "Job"},
                      {"metadata", json::object{{"name", flags.name}, {"namespace", flags.ns}}},
                      {"spec", json::object{{"minAvailable", flags.min_available},
                                            {"schedulerName", flags.scheduler},
                                            {"tasks", json::array{std::move(task)}}}}};
}

json::object CommandBody(const json::object& target, std::string_view ns, std::string_view action) {
  const json::object* meta = ObjectAt(target, {"metadata"});
  const json::object reference{{"apiVersion", TextAt(&target, "apiVersion")},
                               {"kind", TextAt(&target, "kind")},
                               {"name", TextAt(meta, "name")},
                               {"uid", TextAt(meta, "uid")},
                               {"controller", true}};
  const std::string prefix = fmt::format("{}-{}-", TextAt(meta, "name"), ToLower(action));
  return {{"apiVersion", "bus.volcano.sh/v1alpha1"},
          {"kind", "Command"},
          {"metadata", json::object{{"generateName", prefix},
                                    {"namespace", ns},
                                    {"ownerReferences", json::array{reference}}}},
          {"action", action},
          {"target", reference}};
}

}  // namespace basalt::cli
