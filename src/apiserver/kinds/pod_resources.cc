#include "apiserver/kinds/pod_resources.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <map>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

using kube::Quantity;

constexpr std::array<std::string_view, 9> kDivisibleResources{"cpu",
                                                              "memory",
                                                              "ephemeral-storage",
                                                              "requests.cpu",
                                                              "requests.memory",
                                                              "limits.cpu",
                                                              "limits.memory",
                                                              "limits.ephemeral-storage",
                                                              "requests.ephemeral-storage"};
constexpr std::array<std::string_view, 3> kOtherResources{"storage", "requests.storage",
                                                          "services.loadbalancers"};
constexpr std::array<std::string_view, 8> kCountedResources{
    "pods",    "services",   "replicationcontrollers", "resourcequotas",
    "secrets", "configmaps", "persistentvolumeclaims", "services.nodeports"};

bool IsAmong(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool IsHugePages(std::string_view name) { return name.starts_with("hugepages-"); }

bool IsNative(std::string_view name) {
  return name.find('/') == name.npos || name.find("kubernetes.io/") != name.npos;
}

bool IsExtended(std::string_view name) {
  return !IsNative(name) && !name.starts_with("requests.") &&
         syntax::QualifiedName(fmt::format("requests.{}", name)).empty();
}

void ValidateName(std::string_view name, const std::string& path, FieldErrors& errors) {
  const syntax::Complaints complaints = syntax::QualifiedName(name);
  AddInvalid(path, name, complaints, errors);
  const bool qualified = name.find('/') != name.npos;
  if (complaints.empty() && !qualified && !IsStandardResource(name)) {
    errors.Invalid(path, name, "must be a standard resource type or fully qualified");
  }
  if (!qualified) {
    if (name != "cpu" && name != "memory" && name != "ephemeral-storage" && !IsHugePages(name)) {
      errors.Invalid(path, name, "must be a standard resource for containers");
    }
  } else if (!IsNative(name) && !IsExtended(name)) {
    errors.Invalid(path, name, "doesn't follow extended resource name standard");
  }
}

void ValidateHugePages(std::string_view name, const json::value& value, const std::string& path,
                       FieldErrors& errors) {
  const Result<Quantity> amount = Quantity::Parse(AsText(value));
  const Result<Quantity> page = Quantity::Parse(name.substr(std::string_view("hugepages-").size()));
  if (!amount || !page || page->Value() <= 0) return;
  if (amount->Value() % page->Value() != 0) {
    errors.Invalid(path, value,
                   fmt::format("{} is not positive integer multiple of {}", AsText(value), name));
  }
}

}  // namespace

bool IsStandardResource(std::string_view name) {
  return IsAmong(kDivisibleResources, name) || IsAmong(kCountedResources, name) ||
         IsAmong(kOtherResources, name) || IsHugePages(name);
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
  const json::object* limits = FindObject(resources, {"limits"});
  const json::object* requests = FindObject(resources, {"requests"});
  bool huge_pages = false;
  bool cpu_or_memory = false;
  const auto note = [&](std::string_view name) {
    huge_pages |= IsHugePages(name);
    cpu_or_memory |= name == "cpu" || name == "memory";
  };
  if (limits != nullptr) {
    for (const auto& [name, amount] : *limits) {
      const std::string at = Key(Sub(path, "limits"), name);
      ValidateName(name, at, errors);
      ValidateResourceQuantity(name, amount, at, errors);
      if (IsHugePages(name)) ValidateHugePages(name, amount, at, errors);
      note(name);
    }
  }
  const json::array& claims = ListAt(resources, {"claims"});
  const NameSet known = NamesIn(ListAt(pod_spec, {"resourceClaims"}));
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::string_view name = GetString(AsObject(claims[i]), {"name"});
    const std::string at = At(Sub(path, "claims"), i);
    if (name.empty()) {
      errors.Required(Sub(at, "name"));
    } else if (!known.contains(name)) {
      errors.NotFound(at, name);
    }
  }
  if (requests != nullptr) {
    for (const auto& [name, amount] : *requests) {
      const std::string at = Key(Sub(path, "requests"), name);
      ValidateName(name, at, errors);
      ValidateResourceQuantity(name, amount, at, errors);
      const std::optional<Quantity> request = FindQuantity(requests, name);
      const std::optional<Quantity> limit = FindQuantity(limits, name);
      const bool overcommit = IsNative(name) && !IsHugePages(name);
      if (request && limit) {
        if (!overcommit && *request != *limit) {
          errors.Invalid(Sub(path, "requests"), amount,
                         fmt::format("must be equal to {} limit of {}", std::string_view(name),
                                     limit->ToString()));
        } else if (overcommit && *request > *limit) {
          errors.Invalid(Sub(path, "requests"), amount,
                         fmt::format("must be less than or equal to {} limit of {}",
                                     std::string_view(name), limit->ToString()));
        }
      } else if (!overcommit) {
        errors.Required(Sub(path, "limits"), "Limit must be set for non overcommitable resources");
      }
      if (IsHugePages(name)) ValidateHugePages(name, amount, at, errors);
      note(name);
    }
  }
  if (huge_pages && !cpu_or_memory) errors.Forbidden(path, "HugePages require cpu or memory");
}

std::string_view QosClass(const json::object& pod_spec) {
  std::map<std::string_view, Quantity> requests;
  std::map<std::string_view, Quantity> limits;
  bool guaranteed = true;
  const auto count = [&](const json::object& container) {
    int limited = 0;
    for (const std::string_view name : {"cpu", "memory"}) {
      const auto request = FindQuantity(FindObject(container, {"resources", "requests"}), name);
      if (request && request->Sign() > 0) requests[name] += *request;
      const auto limit = FindQuantity(FindObject(container, {"resources", "limits"}), name);
      if (limit && limit->Sign() > 0) {
        limits[name] += *limit;
        ++limited;
      }
    }
    guaranteed &= limited == 2;
  };
  if (FindObject(pod_spec, {"resources"}) != nullptr) {
    count(pod_spec);
  } else {
    for (const std::string_view list : {"initContainers", "containers"}) {
      for (const json::value& container : ListAt(pod_spec, {list})) count(AsObject(container));
    }
  }
  if (requests.empty() && limits.empty()) return "BestEffort";
  for (const auto& [name, amount] : requests) {
    const auto limit = limits.find(name);
    guaranteed &= limit != limits.end() && limit->second == amount;
  }
  return guaranteed && requests.size() == limits.size() ? "Guaranteed" : "Burstable";
}

}  // namespace basalt::apiserver
