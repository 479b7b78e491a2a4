#include "kube/types/time.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/ascii.h"

namespace basalt::kube {
namespace {

constexpr std::string_view kLayout = "2006-01-02T15:04:05Z07:00";
constexpr std::string_view kMicroLayout = "2006-01-02T15:04:05.000000Z07:00";

// As Go's time package quotes.
std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < ' ') {
      out += fmt::format("\\x{:02x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Reads a time from left to right. The first thing that does not fit leaves its error behind; what
// follows does nothing then.
class TimeReader {
 public:
  TimeReader(std::string_view text, std::string_view layout)
      : text_(text), layout_(layout), rest_(text) {}

  bool failed() const { return error_.has_value(); }
  std::unexpected<Error> error() const { return Fail(ErrorCode::kInvalidArgument, *error_); }

  void Literal(char c, std::string_view element) {
    if (failed()) return;
    if (!rest_.starts_with(c)) return Mismatch(element);
    rest_.remove_prefix(1);
  }

  // A number of so many digits.
  int Number(std::size_t digits, std::string_view element) {
    if (failed()) return 0;
    if (rest_.size() < digits) return Mismatch(element), 0;
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!IsDigit(c)) return Mismatch(element), 0;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  // The hour, which Go also takes with one digit.
  int Hour() {
    if (failed()) return 0;
    const bool short_form =
        !rest_.empty() && IsDigit(rest_[0]) && (rest_.size() < 2 || !IsDigit(rest_[1]));
    return Number(short_form ? 1 : 2, "15");
  }

  void Check(bool in_range, std::string_view what) {
    if (!failed() && !in_range) {
      error_ = fmt::format("parsing time {}: {} out of range", Quote(text_), what);
    }
  }

  // ".5" and the like: nanoseconds. 0 where there is no fraction.
  std::int64_t Fraction() {
    if (failed() || rest_.size() < 2 || (rest_[0] != '.' && rest_[0] != ',') ||
        !IsDigit(rest_[1])) {
      return 0;
    }
    std::int64_t nanos = 0;
    std::size_t at = 1;
    for (; at < rest_.size() && IsDigit(rest_[at]); ++at) {
      if (at <= 9) nanos = nanos * 10 + (rest_[at] - '0');
    }
    for (std::size_t i = at; i <= 9; ++i) nanos *= 10;
    rest_.remove_prefix(at);
    return nanos;
  }

  // ".000000" and no other.
  std::int64_t Micros() {
    constexpr std::string_view kElement = ".000000";
    if (failed()) return 0;
    const std::string_view before = rest_;
    Literal('.', kElement);
    const int micros = Number(6, kElement);
    if (failed()) {
      error_.reset();
      rest_ = before;
      Mismatch(kElement);
    }
    return micros * std::int64_t{1000};
  }

  // East of UTC.
  std::chrono::minutes Offset() {
    constexpr std::string_view kElement = "Z07:00";
    if (failed()) return {};
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return {};
    }
    const auto digit = [&](std::size_t at) { return IsDigit(rest_[at]); };
    if (rest_.size() < 6 || (rest_[0] != '+' && rest_[0] != '-') || rest_[3] != ':' || !digit(1) ||
        !digit(2) || !digit(4) || !digit(5)) {
      Mismatch(kElement);
      return {};
    }
    const int sign = rest_[0] == '-' ? -1 : 1;
    const int hours = (rest_[1] - '0') * 10 + (rest_[2] - '0');
    const int minutes = (rest_[4] - '0') * 10 + (rest_[5] - '0');
    rest_.remove_prefix(6);
    Check(hours <= 24, "time zone offset hour");
    Check(minutes <= 60, "time zone offset minute");
    return std::chrono::minutes(sign * (hours * 60 + minutes));
  }

  void End() {
    if (failed() || rest_.empty()) return;
    error_ = fmt::format("parsing time {}: extra text: {}", Quote(text_), Quote(rest_));
  }

 private:
  void Mismatch(std::string_view element) {
    error_ = fmt::format("parsing time {} as {}: cannot parse {} as {}", Quote(text_),
                         Quote(layout_), Quote(rest_), Quote(element));
  }

  std::string_view text_;
  std::string_view layout_;
  std::string_view rest_;
  std::optional<std::string> error_;
};

struct Instant {
  std::chrono::sys_seconds seconds;
  std::int64_t nanos = 0;
};

// The form that API servers send, "2026-01-02T15:04:05Z", where nothing is wrong with it.
std::optional<Instant> ParseUsual(std::string_view text) {
  using namespace std::chrono;
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == '0' ? !IsDigit(text[i]) : text[i] != kForm[i]) return std::nullopt;
  }
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  const year_month_day date{year{two(0) * 100 + two(2)}, month{static_cast<unsigned>(two(5))},
                            day{static_cast<unsigned>(two(8))}};
  if (!date.ok() || two(11) > 23 || two(14) > 59 || two(17) > 59) return std::nullopt;
  return Instant{sys_days{date} + hours{two(11)} + minutes{two(14)} + seconds{two(17)}};
}

Result<Instant> Parse(std::string_view text, std::string_view layout) {
  using namespace std::chrono;
  if (layout == kLayout) {
    if (const std::optional<Instant> usual = ParseUsual(text)) return *usual;
  }
  TimeReader read(text, layout);
  const int y = read.Number(4, "2006");
  read.Literal('-', "-");
  const int m = read.Number(2, "01");
  read.Check(m >= 1 && m <= 12, "month");
  read.Literal('-', "-");
  const int d = read.Number(2, "02");
  read.Literal('T', "T");
  const int hour = read.Hour();
  read.Check(hour < 24, "hour");
  read.Literal(':', ":");
  const int minute = read.Number(2, "04");
  read.Check(minute < 60, "minute");
  read.Literal(':', ":");
  const int second = read.Number(2, "05");
  read.Check(second < 60, "second");
  const std::int64_t nanos = layout == kLayout ? read.Fraction() : read.Micros();
  const minutes offset = read.Offset();
  read.End();
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)},
                            day{static_cast<unsigned>(d)}};
  read.Check(date.ok(), "day");
  if (read.failed()) return read.error();

  return Instant{
      sys_days{date} + hours{hour} + std::chrono::minutes{minute} + seconds{second} - offset,
      nanos};
}

// At the ends of what int64 nanoseconds hold where it lies outside.
Time ToTime(const Instant& instant) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1'000'000'000 - 1;
  const std::int64_t seconds = instant.seconds.time_since_epoch().count();
  if (seconds > kMost) return Time::max();
  if (seconds < -kMost) return Time::min();
  return Time(instant.seconds) + std::chrono::nanoseconds(instant.nanos);
}

std::string FormatMicros(std::chrono::sys_seconds time, std::int64_t nanos) {
  return fmt::format("{}.{:06}Z", FormatSeconds(time), nanos / 1000);
}

struct Unit {
  std::string_view name;
  std::uint64_t nanos;
};
constexpr std::array<Unit, 8> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"\xc2\xb5s", 1'000},  // micro sign
                                      {"\xce\xbcs", 1'000},  // Greek mu
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000}}};

constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;

// One "3.5s". Returns its nanoseconds; takes it from the front of `rest`.
Result<std::uint64_t> TakeDurationPart(std::string_view& rest, std::string_view text) {
  const auto invalid = [&] {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("time: invalid duration {}", Quote(text)));
  };
  std::uint64_t whole = 0;
  std::size_t at = 0;
  for (; at < rest.size() && IsDigit(rest[at]); ++at) {
    if (whole > kLimit / 10) return invalid();
    whole = whole * 10 + static_cast<unsigned>(rest[at] - '0');
    if (whole > kLimit) return invalid();
  }
  bool any_digit = at > 0;
  std::uint64_t fraction = 0;
  double scale = 1;
  if (at < rest.size() && rest[at] == '.') {
    ++at;
    bool full = false;
    for (; at < rest.size() && IsDigit(rest[at]); ++at) {
      any_digit = true;
      if (full) continue;
      const std::uint64_t next = fraction * 10 + static_cast<unsigned>(rest[at] - '0');
      full = fraction > (kLimit - 1) / 10 || next > kLimit;
      if (full) continue;  // further digits no longer count
      fraction = next;
      scale *= 10;
    }
  }
  if (!any_digit) return invalid();
  rest.remove_prefix(at);

  std::size_t unit_end = 0;
  while (unit_end < rest.size() && rest[unit_end] != '.' && !IsDigit(rest[unit_end])) ++unit_end;
  const std::string_view unit_name = rest.substr(0, unit_end);
  if (unit_name.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("time: missing unit in duration {}", Quote(text)));
  }
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                 [&](const Unit& u) { return u.name == unit_name; });
  if (unit == kUnits.end()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("time: unknown unit {} in duration {}", Quote(unit_name), Quote(text)));
  }
  rest.remove_prefix(unit_end);
  if (whole > kLimit / unit->nanos) return invalid();
  std::uint64_t nanos = whole * unit->nanos;
  if (fraction > 0) {
    nanos += static_cast<std::uint64_t>(static_cast<double>(fraction) *
                                        (static_cast<double>(unit->nanos) / scale));
  }
  if (nanos > kLimit) return invalid();
  return nanos;
}

// "1.5" of 1500 with unit 1000; the fraction without its trailing zeros.
std::string WithFraction(std::uint64_t value, std::uint64_t unit) {
  std::string text = fmt::format("{}", value / unit);
  std::uint64_t rest = value % unit;
  if (rest == 0) return text;
  text += '.';
  for (std::uint64_t place = unit / 10; rest != 0; place /= 10) {
    text += static_cast<char>('0' + rest / place);
    rest %= place;
  }
  return text;
}

}  // namespace

std::string FormatSeconds(std::chrono::sys_seconds time) {
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(time - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Result<Time> ParseTime(std::string_view text) {
  const Result<Instant> instant = Parse(text, kLayout);
  if (!instant) return std::unexpected(instant.error());
  return ToTime(*instant);
}

Result<std::string> NormalizeTime(std::string_view text) {
  const Result<Instant> instant = Parse(text, kLayout);
  if (!instant) return std::unexpected(instant.error());
  return FormatSeconds(instant->seconds) + "Z";
}

Result<std::string> NormalizeMicroTime(std::string_view text) {
  const Result<Instant> instant = Parse(text, kMicroLayout);
  if (!instant) return std::unexpected(instant.error());
  return FormatMicros(instant->seconds, instant->nanos);
}

std::string FormatTime(Time time) {
  return FormatSeconds(std::chrono::floor<std::chrono::seconds>(time)) + "Z";
}

std::string FormatMicroTime(Time time) {
  // Not `time - whole`: the whole second before the earliest time cannot be told in nanoseconds.
  const Duration rest = time.time_since_epoch() % 1s;
  return FormatMicros(std::chrono::floor<std::chrono::seconds>(time),
                      (rest < Duration::zero() ? rest + 1s : rest).count());
}

Result<Duration> ParseDuration(std::string_view text) {
  const auto invalid = [&] {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("time: invalid duration {}", Quote(text)));
  };
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return Duration(0);
  if (rest.empty()) return invalid();
  std::uint64_t total = 0;
  while (!rest.empty()) {
    const Result<std::uint64_t> part = TakeDurationPart(rest, text);
    if (!part) return std::unexpected(part.error());
    total += *part;
    if (total > kLimit) return invalid();
  }
  if (negative) return Duration(static_cast<std::int64_t>(-total));
  if (total == kLimit) return invalid();
  return Duration(static_cast<std::int64_t>(total));
}

std::string FormatDuration(Duration duration) {
  const std::int64_t count = duration.count();
  if (count == 0) return "0s";
  const std::string sign = count < 0 ? "-" : "";
  const std::uint64_t nanos =
      count < 0 ? -static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  if (nanos < 1'000) return fmt::format("{}{}ns", sign, nanos);
  if (nanos < 1'000'000) return sign + WithFraction(nanos, 1'000) + "\xc2\xb5s";
  if (nanos < 1'000'000'000) return sign + WithFraction(nanos, 1'000'000) + "ms";
  const std::uint64_t minutes = nanos / 60'000'000'000;
  const std::string seconds = WithFraction(nanos % 60'000'000'000, 1'000'000'000) + "s";
  if (minutes == 0) return sign + seconds;
  if (minutes < 60) return fmt::format("{}{}m{}", sign, minutes, seconds);
  return fmt::format("{}{}h{}m{}", sign, minutes / 60, minutes % 60, seconds);
}

}  // namespace basalt::kube
