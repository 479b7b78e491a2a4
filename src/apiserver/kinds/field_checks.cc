#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <ranges>
#include <set>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/text.h"
#include "base/check.h"
#include "kube/types/quantity.h"

namespace basalt::apiserver {
namespace {

using Texts = std::vector<std::string>;

// What needs no argument

void IsPort(const Checked& checked) {
  const json::value& value = checked.value;
  if (value.is_string()) return checked.Refuse(Misfit("portName", value.get_string()));
  const std::int64_t number = value.is_int64() ? value.get_int64() : 0;
  if (number < 1 || number > 65535) checked.Refuse("must be between 1 and 65535, inclusive");
}

int SignOf(const json::value& value) {
  const Result<kube::Quantity> amount = kube::Quantity::Parse(AsText(value));
  return amount ? amount->Sign() : 1;  // decoding has seen to it
}

bool IsNumberOrPercent(const json::value& value) {
  return value.is_string() ? PercentOf(value) >= 0 : value.is_int64() && value.get_int64() >= 0;
}

bool IsSingle(const json::value& value) {
  return value.is_array() && value.get_array().size() == 1;
}

struct PlainCheck {
  std::string_view name;
  bool (*fits)(const json::value& value);
  std::string_view complaint;
};
constexpr PlainCheck kPlain[] = {
    {"numberOrPercent", IsNumberOrPercent,
     "must be a number that is not negative, or a percentage like '25%'"},
    {"atMost100%", [](const json::value& value) { return PercentOf(value) <= 100; },
     "must not be greater than 100%"},
    {"positive", [](const json::value& value) { return SignOf(value) > 0; },
     "must be greater than zero"},
    {"notNegative", [](const json::value& value) { return SignOf(value) >= 0; },
     "must not be negative"},
    {"absent", [](const json::value& value) { return !IsThere(&value); },
     "may not be specified here"},
    {"single", IsSingle, "must be one value"},
};

// What has one

// A list is what its elements are.
FieldCheck OfEach(FieldCheck check) {
  return [check = std::move(check)](const Checked& checked) {
    const json::array* list = checked.value.if_array();
    if (list == nullptr) return check(checked);
    for (std::size_t i = 0; i < list->size(); ++i) {
      check({.value = (*list)[i],
             .holder = checked.holder,
             .path = checked.indexed ? At(checked.path, i) : checked.path,
             .reason = checked.reason,
             .errors = checked.errors});
    }
  };
}

// Whether a word is the text; one that ends with a star is the beginning of it.
bool MatchesOne(const Texts& words, std::string_view text) {
  return std::ranges::any_of(words, [text](std::string_view word) {
    const bool beginning = word.size() > 1 && word.ends_with('*');
    return beginning ? text.starts_with(word.substr(0, word.size() - 1)) : text == word;
  });
}

FieldCheck Is(const Texts& words, bool wanted, bool as_enum) {
  return OfEach([=](const Checked& checked) {
    if (MatchesOne(words, TextOf(checked.value)) == wanted) return;
    if (as_enum) return checked.errors.NotSupported(checked.path, checked.value, words);
    checked.Refuse(fmt::format("must {}be {}", wanted ? "" : "not ", fmt::join(words, " or ")));
  });
}

FieldCheck IsInRange(std::string_view text) {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto number = [](std::string_view digits, std::int64_t otherwise) {
    std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
    return otherwise;
  };
  const std::size_t dots = text.find("..");
  BASALT_CHECK(dots != text.npos);
  const std::int64_t low = number(text.substr(0, dots), Limits::min());
  const std::int64_t high = number(text.substr(dots + 2), Limits::max());
  return [=](const Checked& checked) {
    const std::int64_t given = checked.value.is_int64() ? checked.value.get_int64() : 0;
    if (given < low) checked.Refuse(fmt::format("must be greater than or equal to {}", low));
    if (given > high) checked.Refuse(fmt::format("must be less than or equal to {}", high));
  };
}

// Compared with another field.
FieldCheck IsAtMost(const std::string& field, std::int64_t more) {
  return [=](const Checked& checked) {
    const std::int64_t given = checked.value.is_int64() ? checked.value.get_int64() : 0;
    const std::int64_t other = GetInt(checked.holder, {field});
    if (more > 0 ? given < other + more : given > other) {
      checked.Refuse(fmt::format("must be {} {}", more > 0 ? "greater than" : "at most", field));
    }
  };
}

FieldCheck IsDisjointWith(const std::string& field) {
  return OfEach([field](const Checked& checked) {
    const json::array& others = ListOf(checked.holder, field);
    if (std::ranges::find(others, checked.value) == others.end()) return;
    checked.Refuse(fmt::format("exists in {}, too", field));
  });
}

FieldCheck IsAlone(const std::string& everything) {
  return [everything](const Checked& checked) {
    const json::array* list = checked.value.if_array();
    if (list == nullptr || list->size() < 2) return;
    if (std::ranges::find(*list, json::value(everything)) == list->end()) return;
    checked.Refuse(fmt::format("who says {} may say nothing else", everything));
  };
}

FieldCheck HasAny(const Texts& words) {
  return [words](const Checked& checked) {
    const json::array* list = checked.value.if_array();
    if (list == nullptr || std::ranges::any_of(*list, [&](const json::value& item) {
          return MatchesOne(words, AsText(item));
        })) {
      return;
    }
    checked.Refuse(fmt::format("must include at least one of {}", fmt::join(words, ", ")));
  };
}

FieldCheck HasAtMost(std::size_t most) {
  return [most](const Checked& checked) {
    if (const json::array* list = checked.value.if_array(); list && list->size() > most) {
      checked.errors.TooMany(checked.path, list->size(), most);
    } else if (AsText(checked.value).size() > most) {
      checked.Refuse(fmt::format("can have at most {} characters", most));
    }
  };
}

// The elements differ in one of the fields; complaints name the field where it is one and not
// several.
FieldCheck IsUnique(const Texts& fields, bool name_field) {
  return [=](const Checked& checked) {
    std::set<Texts> seen;
    const json::array* list = checked.value.if_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      Texts key;
      for (const std::string& field : fields) {
        key.emplace_back(GetString(AsObject((*list)[i]), {field}));
      }
      if (key[0].empty() || seen.insert(key).second) continue;
      const std::string at = At(checked.path, i);
      checked.errors.Duplicate(name_field ? Sub(at, fields[0]) : at, key[0]);
    }
  };
}

FieldCheck HasOneOf(const Texts& fields) {
  return [fields](const Checked& checked) {
    const auto given = std::ranges::count_if(
        fields, [&](const std::string& field) { return Find(checked.holder, {field}) != nullptr; });
    if (given != 1) {
      checked.Refuse(fmt::format("must have exactly one of {}", fmt::join(fields, ", ")));
    }
  };
}

// What something is made of, beside the fields that are about it as such: the first by name counts.
FieldCheck HasOneBeside(const Texts& fields) {
  return [fields](const Checked& checked) {
    std::set<std::string_view> sources;
    for (const auto& [name, source] : checked.holder) {
      if (source.is_object() && !MatchesOne(fields, name)) sources.insert(name);
    }
    if (sources.empty()) checked.errors.Required(checked.path, "must say what it is made of");
    for (const std::string_view more : sources | std::views::drop(1)) {
      checked.errors.Forbidden(Sub(checked.path, more),
                               fmt::format("may not be specified beside {}", *sources.begin()));
    }
  };
}

FieldCheck HasFormat(const std::string& format, bool of_empty) {
  const FieldCheck of_each = OfEach(
      [format](const Checked& checked) { checked.Refuse(Misfit(format, AsText(checked.value))); });
  return [=](const Checked& checked) {
    const bool empty = checked.value.is_string() && checked.value.get_string().empty();
    if (!empty || of_empty) of_each(checked);
  };
}

}  // namespace

void Checked::Refuse(std::string_view why) const {
  if (why.empty()) return;
  switch (reason) {
    case Reason::kInvalid: return errors.Invalid(path, value, why);
    case Reason::kRequired: return errors.Required(path, why);
    case Reason::kForbidden: return errors.Forbidden(path, why);
  }
}

FieldCheck FieldCheckOf(std::string_view word, bool of_empty) {
  const auto [name, rest] = Cut(word, '=');
  const std::string argument(rest);
  const Texts words = Split(argument, ',');
  if (name == "enum" || name == "is") return Is(words, true, name == "enum");
  if (name == "not") return Is(words, false, false);
  if (name == "range") return IsInRange(argument);
  if (name == "atMost") return IsAtMost(argument, 0);
  if (name == "above") return IsAtMost(argument, 1);
  if (name == "disjoint") return IsDisjointWith(argument);
  if (name == "alone") return IsAlone(argument);
  if (name == "has") return HasAny(words);
  if (name == "most") return HasAtMost(std::stoul(argument));
  if (name == "unique") return IsUnique(words, true);
  if (name == "distinct") return IsUnique(words, false);
  if (name == "one") return HasOneOf(words);
  if (name == "oneBeside") return HasOneBeside(words);
  if (name == "port") return IsPort;
  if (name == "labels" || name == "annotations") {
    return [validate =
                name == "labels" ? ValidateLabels : ValidateAnnotations](const Checked& checked) {
      validate(checked.value.if_object(), checked.path, checked.errors);
    };
  }
  for (const PlainCheck& check : kPlain) {
    if (check.name != name) continue;
    return [&check](const Checked& checked) {
      if (!check.fits(checked.value)) checked.Refuse(check.complaint);
    };
  }
  BASALT_CHECK(IsFormat(name));
  return HasFormat(std::string(name), of_empty);
}

}  // namespace basalt::apiserver
