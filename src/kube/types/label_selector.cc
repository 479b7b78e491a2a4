#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kube/types/integer.h"
#include "kube/types/names.h"
#include "kube/types/selector.h"

namespace basalt::kube {
namespace {

using Operator = LabelRequirement::Operator;

std::string_view Sign(Operator op) {
  switch (op) {
    case Operator::kEquals: return "=";
    case Operator::kNotEquals: return "!=";
    case Operator::kIn: return " in ";
    case Operator::kNotIn: return " notin ";
    case Operator::kGreater: return ">";
    case Operator::kLess: return "<";
    case Operator::kExists:
    case Operator::kDoesNotExist: break;
  }
  return "";
}

std::string RequirementText(const LabelRequirement& requirement) {
  const Operator op = requirement.op;
  if (op == Operator::kExists) return requirement.key;
  if (op == Operator::kDoesNotExist) return "!" + requirement.key;
  std::vector<std::string> values = requirement.values;
  std::sort(values.begin(), values.end());
  const bool set = op == Operator::kIn || op == Operator::kNotIn;
  return fmt::format("{}{}{}{}{}", requirement.key, Sign(op), set ? "(" : "",
                     fmt::join(values, ","), set ? ")" : "");
}

// Collects what is wrong, as Kubernetes' field errors print it.
class Problems {
 public:
  void Add(std::string path, std::string value, std::string_view detail) {
    list_.push_back(fmt::format("{}: Invalid value: {}: {}", path, value, detail));
  }
  Result<void> Finish() const {
    if (list_.empty()) return {};
    if (list_.size() == 1) return Fail(ErrorCode::kInvalidArgument, list_[0]);
    return Fail(ErrorCode::kInvalidArgument, fmt::format("[{}]", fmt::join(list_, ", ")));
  }

 private:
  std::vector<std::string> list_;
};

std::string ListOf(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(fmt::format("\"{}\"", value));
  return fmt::format("[{}]", fmt::join(quoted, ","));
}

}  // namespace

bool LabelRequirement::Holds(std::optional<std::string_view> label) const {
  const auto has_value = [&] { return std::ranges::find(values, *label) != values.end(); };
  switch (op) {
    case Operator::kEquals:
    case Operator::kIn: return label && has_value();
    case Operator::kNotEquals:
    case Operator::kNotIn: return !label || !has_value();
    case Operator::kExists: return label.has_value();
    case Operator::kDoesNotExist: return !label;
    case Operator::kGreater:
    case Operator::kLess: {
      if (!label || values.size() != 1) return false;
      const std::optional<std::int64_t> actual = ParseInt64(*label);
      const std::optional<std::int64_t> bound = ParseInt64(values[0]);
      if (!actual || !bound) return false;
      return op == Operator::kGreater ? *actual > *bound : *actual < *bound;
    }
  }
  return false;
}

Result<void> Validate(const LabelRequirement& requirement) {
  Problems problems;
  const std::vector<std::string>& values = requirement.values;
  if (const auto wrong = LabelKeyProblems(requirement.key); !wrong.empty()) {
    problems.Add("key", fmt::format("\"{}\"", requirement.key),
                 fmt::format("{}", fmt::join(wrong, "; ")));
  }
  switch (requirement.op) {
    case Operator::kIn:
    case Operator::kNotIn:
      if (values.empty()) {
        problems.Add("values", ListOf(values),
                     "for 'in', 'notin' operators, values set can't be empty");
      }
      break;
    case Operator::kEquals:
    case Operator::kNotEquals:
      if (values.size() != 1) {
        problems.Add("values", ListOf(values),
                     "exact-match compatibility requires one single value");
      }
      break;
    case Operator::kExists:
    case Operator::kDoesNotExist:
      if (!values.empty()) {
        problems.Add("values", ListOf(values),
                     "values set must be empty for exists and does not exist");
      }
      break;
    case Operator::kGreater:
    case Operator::kLess:
      if (values.size() != 1) {
        problems.Add("values", ListOf(values),
                     "for 'Gt', 'Lt' operators, exactly one value is required");
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (ParseInt64(values[i])) continue;
        problems.Add(fmt::format("values[{}]", i), fmt::format("\"{}\"", values[i]),
                     "for 'Gt', 'Lt' operators, the value must be an integer");
      }
      break;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto wrong = LabelValueProblems(values[i]);
    if (wrong.empty()) continue;
    problems.Add(fmt::format("values[{}][{}]", i, requirement.key),
                 fmt::format("\"{}\"", values[i]), fmt::format("{}", fmt::join(wrong, "; ")));
  }
  return problems.Finish();
}

LabelSelector::LabelSelector(std::vector<LabelRequirement> requirements)
    : requirements_(std::move(requirements)) {
  std::ranges::stable_sort(requirements_, {}, &LabelRequirement::key);
}

LabelSelector LabelSelector::OfLabels(const StringMap& labels) {
  LabelSelector selector;
  for (const auto [key, value] : labels) {
    selector.requirements_.push_back(
        {std::string(key), LabelRequirement::Operator::kEquals, {std::string(value)}});
  }
  return selector;
}

bool LabelSelector::Matches(const StringMap& labels) const {
  return std::ranges::all_of(requirements_, [&](const LabelRequirement& requirement) {
    return requirement.Matches(labels);
  });
}

void LabelSelector::Add(LabelRequirement requirement) {
  const auto at =
      std::ranges::upper_bound(requirements_, requirement.key, {}, &LabelRequirement::key);
  requirements_.insert(at, std::move(requirement));
}

std::string LabelSelector::ToString() const {
  std::string text;
  for (const LabelRequirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += RequirementText(requirement);
  }
  return text;
}

}  // namespace basalt::kube
