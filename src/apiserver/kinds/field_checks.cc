#include "apiserver/kinds/field_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/kinds/syntax.h"
#include "apiserver/object/object.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

struct Format {
  std::string_view name;
  syntax::Complaints (*check)(std::string_view text);
};
constexpr Format kFormats[] = {
    {"dnsLabel", syntax::Dns1123Label},
    {"dnsSubdomain", syntax::Dns1123Subdomain},
    {"qualifiedName", syntax::QualifiedName},
    {"labelKey", syntax::LabelKey},
    {"envVarName", syntax::EnvVarName},
    {"configKey", syntax::ConfigMapKey},
    {"portName", syntax::PortName},
    {"ip", syntax::IpAddress},
    {"ipOrNone", syntax::IpAddressOrNone},
    {"cidr", syntax::Cidr},
    {"searchPath", syntax::SearchPath},
    {"trimmed", syntax::Trimmed},
    {"noBacksteps", syntax::PathWithoutBacksteps},
    {"relativePath", syntax::RelativePath},
    {"threeSegments", syntax::DomainOfThreeSegments},
};

// A list is what its elements are.
FieldCheck OfEach(FieldCheck check) {
  return [check = std::move(check)](const json::value& value, const std::string& path,
                                    FieldErrors& errors) {
    if (!value.is_array()) return check(value, path, errors);
    const json::array& list = value.get_array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      check(list[i], fmt::format("{}[{}]", path, i), errors);
    }
  };
}

FieldCheck HasFormat(syntax::Complaints (*format)(std::string_view), bool of_empty) {
  const FieldCheck of_each =
      OfEach([format](const json::value& value, const std::string& path, FieldErrors& errors) {
        AddInvalid(path, value, format(AsText(value)), errors);
      });
  return [=](const json::value& value, const std::string& path, FieldErrors& errors) {
    const bool empty = value.is_string() && value.get_string().empty();
    if (!empty || of_empty) of_each(value, path, errors);
  };
}

FieldCheck IsAmong(const std::vector<std::string>& allowed) {
  return OfEach([allowed](const json::value& value, const std::string& path, FieldErrors& errors) {
    if (std::ranges::find(allowed, AsText(value)) != allowed.end()) return;
    errors.NotSupported(path, value, allowed);
  });
}

FieldCheck IsInRange(std::string_view text) {
  const auto number = [](std::string_view digits, std::int64_t otherwise) {
    std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
    return otherwise;
  };
  const std::size_t dots = text.find("..");
  BASALT_CHECK(dots != text.npos);
  constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();
  const std::int64_t low = number(text.substr(0, dots), 0);
  const std::int64_t high = number(text.substr(dots + 2), kNoBound);
  return [=](const json::value& value, const std::string& path, FieldErrors& errors) {
    const std::int64_t given = value.is_int64() ? value.get_int64() : 0;
    if (given >= low && given <= high) return;
    errors.Invalid(path, value,
                   high == kNoBound
                       ? fmt::format("must be greater than or equal to {}", low)
                       : fmt::format("must be between {} and {}, inclusive", low, high));
  };
}

FieldCheck HasAtMost(std::size_t most) {
  return [most](const json::value& value, const std::string& path, FieldErrors& errors) {
    const std::size_t size = value.is_array() ? value.get_array().size() : 0;
    if (size > most) errors.TooMany(path, size, most);
  };
}

FieldCheck HasUnique(const std::string& field) {
  return [field](const json::value& value, const std::string& path, FieldErrors& errors) {
    std::set<std::string_view> seen;
    const json::array* list = value.if_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const std::string_view key = GetString(AsObject((*list)[i]), {field});
      if (key.empty() || seen.insert(key).second) continue;
      errors.Duplicate(fmt::format("{}[{}].{}", path, i, field), key);
    }
  };
}

FieldCheck HasOneOf(const std::vector<std::string>& fields) {
  return [fields](const json::value& value, const std::string& path, FieldErrors& errors) {
    const auto given = std::ranges::count_if(fields, [&](const std::string& field) {
      return Find(AsObject(value), {field}) != nullptr;
    });
    if (given == 1) return;
    errors.Invalid(path, value,
                   fmt::format("must have exactly one of {}", fmt::join(fields, ", ")));
  };
}

void IsPort(const json::value& value, const std::string& path, FieldErrors& errors) {
  const std::int64_t number = value.is_int64() ? value.get_int64() : 0;
  AddInvalid(path, value,
             value.is_string() ? syntax::PortName(value.get_string()) : syntax::PortNumber(number),
             errors);
}

void AreLabels(const json::value& value, const std::string& path, FieldErrors& errors) {
  ValidateLabels(value.if_object(), path, errors);
}

void IsNumberOrPercent(const json::value& value, const std::string& path, FieldErrors& errors) {
  if (value.is_string() ? PercentOf(value) >= 0 : value.is_int64() && value.get_int64() >= 0) {
    return;
  }
  errors.Invalid(path, value, "must be a number that is not negative, or a percentage like '25%'");
}

void IsAtMostHundredPercent(const json::value& value, const std::string& path,
                            FieldErrors& errors) {
  if (PercentOf(value) > 100) errors.Invalid(path, value, "must not be greater than 100%");
}

}  // namespace

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

FieldCheck FieldCheckOf(std::string_view word, bool of_empty) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string_view name = word.substr(0, equals);
  const std::string argument(word.substr(std::min(equals + 1, word.size())));
  if (name == "enum") return IsAmong(Split(argument, ','));
  if (name == "range") return IsInRange(argument);
  if (name == "most") return HasAtMost(std::stoul(argument));
  if (name == "unique") return HasUnique(argument);
  if (name == "one") return HasOneOf(Split(argument, ','));
  if (name == "port") return IsPort;
  if (name == "labels") return AreLabels;
  if (name == "numberOrPercent") return IsNumberOrPercent;
  if (name == "atMost100%") return IsAtMostHundredPercent;
  const auto format = std::ranges::find(kFormats, name, &Format::name);
  BASALT_CHECK(format != std::end(kFormats));
  return HasFormat(format->check, of_empty);
}

}  // namespace basalt::apiserver
