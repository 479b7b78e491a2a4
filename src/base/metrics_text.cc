#include "base/metrics_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/check.h"

namespace basalt::metrics {
namespace {

// All whole numbers up to here are numbers of their own.
constexpr double kMostExact = 9007199254740992;  // 2^53

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

void AppendNumber(double number, std::string& text) {
  if (std::isnan(number)) {
    text += "NaN";
    return;
  }
  if (std::isinf(number)) {
    text += number > 0 ? "+Inf" : "-Inf";
    return;
  }
  std::array<char, 64> buffer{};
  const bool whole = std::abs(number) <= kMostExact && number == std::trunc(number);
  const auto end = whole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                         static_cast<std::int64_t>(number))
                         : std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  text.append(buffer.data(), end.ptr);
}

void AppendEscaped(std::string_view value, bool quotes, std::string& text) {
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
    } else {
      if (c == '\\' || (quotes && c == '"')) text += '\\';
      text += c;
    }
  }
}

std::string_view NameOf(Type type) {
  switch (type) {
    case Type::kCounter: return "counter";
    case Type::kGauge: return "gauge";
    case Type::kHistogram: return "histogram";
  }
  return "untyped";
}

}  // namespace

bool IsMetricName(std::string_view name) {
  return !name.empty() && IsLetter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || (c >= '0' && c <= '9'); });
}

std::string NumberText(double number) {
  std::string text;
  AppendNumber(number, text);
  return text;
}

void TextWriter::Family(std::string_view name, std::string_view help, Type type) {
  name_ = name;
  help_ = help;
  type_ = type;
  head_is_written_ = false;
}

void TextWriter::WriteHead() {
  text_.append("# HELP ").append(name_).append(" ");
  AppendEscaped(help_, false, text_);
  text_.append("\n# TYPE ").append(name_).append(" ").append(NameOf(type_)).append("\n");
}

void TextWriter::Sample(std::span<const LabelView> labels, double value, std::string_view suffix) {
  BASALT_CHECK(!name_.empty());
  if (!std::exchange(head_is_written_, true)) WriteHead();
  text_.append(name_).append(suffix);
  char before = '{';
  for (const auto& [label, text] : labels) {
    text_ += before;
    text_.append(label).append("=\"");
    AppendEscaped(text, true, text_);
    text_ += '"';
    before = ',';
  }
  if (!labels.empty()) text_ += '}';
  text_ += ' ';
  AppendNumber(value, text_);
  text_ += '\n';
}

}  // namespace basalt::metrics
