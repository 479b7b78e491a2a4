#include <fmt/core.h>

#include "kube/types/json_reader.h"

// The object form of selectors.
namespace basalt::kube::json {
namespace {

bool ReadExpression(Reader& reader, Value& value, LabelRequirement& out) {
  using Operator = LabelRequirement::Operator;
  std::string op;
  const bool ok = ReadObject(reader, value, [&](std::string_view key, Value& field) {
    if (key == "key") return Read(reader, field, out.key);
    if (key == "operator") return Read(reader, field, op);
    if (key == "values") return Read(reader, field, out.values);
    return true;
  });
  if (!ok) return false;
  if (op == "In") {
    out.op = Operator::kIn;
  } else if (op == "NotIn") {
    out.op = Operator::kNotIn;
  } else if (op == "Exists") {
    out.op = Operator::kExists;
  } else if (op == "DoesNotExist") {
    out.op = Operator::kDoesNotExist;
  } else {
    return reader.Fail(fmt::format("\"{}\" is not a valid label selector operator", op));
  }
  if (const Result<void> valid = Validate(out); !valid) return reader.Fail(valid.error().message);
  return true;
}

}  // namespace

bool Read(Reader& reader, Value& value, LabelSelector& out) {
  out = {};
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    if (key == "matchLabels") {
      StringMap labels;
      if (!Read(reader, field, labels)) return false;
      for (const auto [name, text] : labels) {
        out.Add({std::string(name), LabelRequirement::Operator::kEquals, {std::string(text)}});
      }
    } else if (key == "matchExpressions") {
      return ReadArray(reader, field, [&](Value& element) {
        LabelRequirement requirement;
        if (!ReadExpression(reader, element, requirement)) return false;
        out.Add(std::move(requirement));
        return true;
      });
    }
    return true;
  });
}

bool ReadField(Reader& reader, std::string_view key, Value& value, NodeSelectorRequirement& out) {
  using Operator = NodeSelectorRequirement::Operator;
  if (key == "key") return Read(reader, value, out.key);
  if (key == "values") return Read(reader, value, out.values);
  if (key == "operator") {
    return ReadEnum(reader, value, out.op,
                    {{"In", Operator::kIn},
                     {"NotIn", Operator::kNotIn},
                     {"Exists", Operator::kExists},
                     {"DoesNotExist", Operator::kDoesNotExist},
                     {"Gt", Operator::kGt},
                     {"Lt", Operator::kLt}},
                    Operator::kInvalid);
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, NodeSelectorTerm& out) {
  if (key == "matchExpressions") return Read(reader, value, out.match_expressions);
  if (key == "matchFields") return Read(reader, value, out.match_fields);
  return true;
}

bool Read(Reader& reader, Value& value, NodeSelector& out) {
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    if (key == "nodeSelectorTerms") return Read(reader, field, out.terms);
    return true;
  });
}

}  // namespace basalt::kube::json
