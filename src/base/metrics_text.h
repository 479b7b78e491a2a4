#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt::metrics {

enum class Type : std::uint8_t { kCounter, kGauge, kHistogram };

using LabelView = std::pair<std::string_view, std::string_view>;
using LabelViews = std::vector<LabelView>;

// [a-zA-Z_:][a-zA-Z0-9_:]*
bool IsMetricName(std::string_view name);
// The shortest text that reads back as the same number; whole numbers without an exponent.
std::string NumberText(double number);

// Prometheus' text format 0.0.4, written from the first to the last line: a family, then its
// series. The caller sees to it that no family and no series comes twice. Lives for one text; one
// thread.
class TextWriter {
 public:
  // Its lines are written with its first series: a family without any is not there.
  void Family(std::string_view name, std::string_view help, Type type = Type::kGauge);
  // `suffix` is for histograms: "_bucket".
  void Sample(std::span<const LabelView> labels, double value, std::string_view suffix = "");

  std::string Take() && { return std::move(text_); }

 private:
  void WriteHead();

  std::string text_;
  std::string_view name_;
  std::string_view help_;
  Type type_ = Type::kGauge;
  bool head_is_written_ = true;
};

}  // namespace basalt::metrics
