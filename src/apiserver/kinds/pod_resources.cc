
#include <algorithm>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

using kube::Quantity;

constexpr std::string_view kDivisibleResources =
    "cpu memory storage ephemeral-storage requests.cpu requests.memory requests.storage "
    "requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage";
constexpr std::string_view kCountedResources =
    "pods services services.loadbalancers services.nodeports replicationcontrollers resourcequotas "
    "secrets configmaps persistentvolumeclaims";

bool IsAmong(std::string_view words, std::string_view name) {
  for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
    if (word == name) return true;
  }
  return false;
}

bool IsHugePages(std::string_view name) { return name.starts_with("hugepages-"); }

bool IsNative(std::string_view name) {
  return name.find('/') == name.npos || name.find("kubernetes.io/") != name.npos;
}

bool IsExtended(std::string_view name) {
  return !IsNative(name) && !name.starts_with("requests.") &&
         Misfit("qualifiedName", fmt::format("requests.{}", name)).empty();
}

void ValidateName(std::string_view name, const std::string& path, FieldErrors& errors) {
  AddInvalid(path, name, Misfit("qualifiedName", name), errors);
  const bool plain = name.find('/') == name.npos;
  if (plain && name != "cpu" && name != "memory" && name != "ephemeral-storage" &&
      !IsHugePages(name)) {
    errors.Invalid(path, name, "must be a standard resource for containers or fully qualified");
  } else if (!plain && !IsNative(name) && !IsExtended(name)) {
    errors.Invalid(path, name, "doesn't follow extended resource name standard");
  }
}

void ValidateHugePages(std::string_view name, const json::value& value, const std::string& path,
                       FieldErrors& errors) {
  const Result<Quantity> amount = Quantity::Parse(AsText(value));
  const Result<Quantity> page = Quantity::Parse(name.substr(std::string_view("hugepages-").size()));
  if (!amount || !page || page->Value() <= 0 || amount->Value() % page->Value() == 0) return;
  errors.Invalid(path, value, fmt::format("must be a multiple of {}", name));
}

// Requests or limits alone.
void ValidateAmounts(const json::object& amounts, const std::string& path, FieldErrors& errors) {
  for (const auto& [name, amount] : amounts) {
    const std::string at = Key(path, name);
    ValidateName(name, at, errors);
    ValidateResourceQuantity(name, amount, at, errors);
    if (IsHugePages(name)) ValidateHugePages(name, amount, at, errors);
  }
}

}  // namespace

bool IsStandardResource(std::string_view name) {
  return IsAmong(kDivisibleResources, name) || IsAmong(kCountedResources, name) ||
         IsHugePages(name);
}

std::optional<Quantity> FindQuantity(const json::object* amounts, std::string_view name) {
  if (amounts == nullptr) return std::nullopt;
  const json::value* value = amounts->if_contains(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  const Result<Quantity> quantity = Quantity::Parse(value->get_string());
  return quantity ? std::optional(*quantity) : std::nullopt;
}

void ValidateResourceQuantity(std::string_view name, const json::value& quantity,
                              const std::string& path, FieldErrors& errors) {
  const Result<Quantity> amount = Quantity::Parse(AsText(quantity));
  if (!amount) return;  // decoding has seen to it
  if (amount->Sign() < 0) {
    errors.Invalid(path, quantity, "must be greater than or equal to 0");
  }
  if ((IsAmong(kCountedResources, name) || IsExtended(name)) && amount->MilliValue() % 1000 != 0) {
    errors.Invalid(path, quantity, "must be an integer");
  }
}

void ValidateResourceRequirements(const json::object& resources, const json::object& pod_spec,
                                  const std::string& path, FieldErrors& errors) {
  const json::object& limits = ObjectOf(resources, "limits");
  const json::object& requests = ObjectOf(resources, "requests");
  ValidateAmounts(limits, Sub(path, "limits"), errors);
  ValidateAmounts(requests, Sub(path, "requests"), errors);
  for (const auto& [name, amount] : requests) {
    const std::optional<Quantity> request = FindQuantity(&requests, name);
    const std::optional<Quantity> limit = FindQuantity(&limits, name);
    // What a node cannot give to two at a time is asked for as it is limited.
    const bool overcommit = IsNative(name) && !IsHugePages(name);
    if (!request || !limit) {
      if (overcommit) continue;
      errors.Required(Sub(path, "limits"), "Limit must be set for non overcommitable resources");
    } else if (overcommit ? *request > *limit : *request != *limit) {
      errors.Invalid(Sub(path, "requests"), amount,
                     fmt::format("must be {} {} limit of {}", overcommit ? "at most the" : "the",
                                 std::string_view(name), limit->ToString()));
    }
  }
  const auto asks_for = [&](auto is_it) {
    const auto has = [&](const auto& item) { return is_it(std::string_view(item.key())); };
    return std::ranges::any_of(limits, has) || std::ranges::any_of(requests, has);
  };
  if (asks_for(IsHugePages) &&
      !asks_for([](std::string_view name) { return name == "cpu" || name == "memory"; })) {
    errors.Forbidden(path, "HugePages require cpu or memory");
  }
  const NameSet known = NamesIn(ListOf(pod_spec, "resourceClaims"));
  ForEachIn(resources, "claims", path, [&](const json::object& claim, const std::string& at) {
    const std::string_view name = GetString(claim, {"name"});
    if (!known.contains(name)) errors.NotFound(at, name);
  });
}

std::string_view QosClass(const json::object& pod_spec) {
  bool any = false;
  bool guaranteed = true;
  const auto count = [&](const json::object& container) {
    for (const std::string_view name : {"cpu", "memory"}) {
      const auto request = FindQuantity(FindObject(container, {"resources", "requests"}), name);
      const auto limit = FindQuantity(FindObject(container, {"resources", "limits"}), name);
      const bool limited = limit && limit->Sign() > 0;
      any |= limited || (request && request->Sign() > 0);
      guaranteed &= limited && request && *request == *limit;
    }
  };
  if (FindObject(pod_spec, {"resources"}) != nullptr) {
    count(pod_spec);
  } else {
    for (const std::string_view list : {"initContainers", "containers"}) {
      for (const json::value& container : ListOf(pod_spec, list)) count(AsObject(container));
    }
  }
  return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace basalt::apiserver
