#include "kube/types/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/ascii.h"

namespace basalt::kube {
namespace {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

constexpr Int128 kNanoPerUnit = 1'000'000'000;
constexpr Int128 kNanoPerMilli = 1'000'000;
constexpr Int128 kMost = (Int128{1} << 125) - 1;
constexpr Uint128 kBinaryCap = (Uint128{1} << 63) - 1;  // in units

constexpr std::string_view kFormatWrong =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view kSuffixWrong = "unable to parse quantity's suffix";
constexpr std::string_view kNumberWrong = "unable to parse numeric part of quantity";

std::unexpected<Error> Refuse(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, std::string(why));
}

// Rounds away from zero.
Int128 DivideUp(Int128 nano, Int128 unit) {
  const Int128 whole = nano / unit;
  if (nano % unit == 0) return whole;
  return nano < 0 ? whole - 1 : whole + 1;
}

std::int64_t Clamp(Int128 value) {
  using Limits = std::numeric_limits<std::int64_t>;
  return static_cast<std::int64_t>(std::clamp<Int128>(value, Limits::min(), Limits::max()));
}

std::string ToDecimal(Int128 value) {
  std::array<char, 48> digits;
  char* const end = digits.data() + digits.size();
  char* at = end;
  Uint128 left = value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value);
  do {
    *--at = static_cast<char>('0' + static_cast<int>(left % 10));
    left /= 10;
  } while (left != 0);
  if (value < 0) *--at = '-';
  return std::string(at, end);
}

struct Suffix {
  int base = 10;
  std::int64_t exponent = 0;
  Quantity::Format format = Quantity::Format::kDecimalSI;
};

constexpr std::string_view kDecimalSuffixes("num\0kMGTPE", 10);  // 10^-9 by 10^3; \0: none
constexpr std::string_view kBinarySuffixes = "KMGTPE";           // 2^10 by 2^10

bool ParseSuffix(std::string_view text, Suffix& suffix) {
  if (text.empty()) return true;
  if (text.size() == 1) {
    const std::size_t at = kDecimalSuffixes.find(text[0]);
    if (at != std::string_view::npos) {
      suffix.exponent = -9 + 3 * static_cast<int>(at);
      return true;
    }
  }
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t at = kBinarySuffixes.find(text[0]);
    if (at == std::string_view::npos) return false;
    suffix = {2, 10 * (static_cast<int>(at) + 1), Quantity::Format::kBinarySI};
    return true;
  }
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return false;
  Int128 exponent = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return false;
    exponent = exponent * 10 + (c - '0');
    if (exponent > std::numeric_limits<std::int64_t>::max()) return false;
  }
  // Kubernetes keeps 32 bits of it.
  const auto kept = static_cast<std::int32_t>(negative ? -exponent : exponent);
  suffix = {10, kept, Quantity::Format::kDecimalExponent};
  return true;
}

// The parts of a quantity's text.
struct Parts {
  bool negative = false;
  std::string_view whole;     // digits before the point, without leading zeros
  std::string_view fraction;  // digits after it
  std::string_view suffix;
  bool any_digit = false;

  // Kubernetes reads most texts in a quick way, which takes a missing number for zero, and the rest
  // in another one, which does not.
  bool QuickBinary(std::int64_t exponent) const {
    const auto length = static_cast<std::int64_t>(std::max<std::size_t>(1, whole.size()));
    return fraction.empty() && 14 - length - exponent * 3 / 10 >= 0;
  }
  bool QuickDecimal(std::int64_t exponent) const {
    return exponent - static_cast<std::int64_t>(fraction.size()) >= -9 &&
           std::max<std::size_t>(1, whole.size()) + fraction.size() <= 18;
  }
  std::size_t digits() const { return whole.size() + fraction.size(); }
  char digit(std::size_t index) const {
    return index < whole.size() ? whole[index] : fraction[index - whole.size()];
  }
};

bool Split(std::string_view text, Parts& parts) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return text.substr(from, at - from);
  };
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) parts.negative = text[at++] == '-';
  parts.whole = digits();
  parts.any_digit = !parts.whole.empty();
  parts.whole.remove_prefix(std::min(parts.whole.find_first_not_of('0'), parts.whole.size()));
  if (at < text.size() && text[at] == '.') {
    ++at;
    parts.fraction = digits();
    parts.any_digit |= !parts.fraction.empty();
  }
  parts.suffix = text.substr(at);
  while (at < text.size() && std::string_view("eEinumkKMGTP").contains(text[at])) ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  digits();
  return at == text.size();
}

// value * 10 + digit, or false where that is more than any quantity.
bool Append(Uint128& value, char digit) {
  value = value * 10 + static_cast<unsigned>(digit - '0');
  return value <= static_cast<Uint128>(kMost);
}

// The digits times 10^shift, rounded up.
bool ScaleDecimal(const Parts& parts, std::int64_t shift, Uint128& value) {
  const auto count = static_cast<std::int64_t>(parts.digits());
  const std::int64_t kept = shift < 0 ? std::max<std::int64_t>(0, count + shift) : count;
  value = 0;
  for (std::int64_t i = 0; i < kept; ++i) {
    if (!Append(value, parts.digit(i))) return false;
  }
  for (std::int64_t i = kept; i < count; ++i) {
    if (parts.digit(i) == '0') continue;
    ++value;
    break;
  }
  for (std::int64_t i = 0; i < shift && value != 0; ++i) {
    if (!Append(value, '0')) return false;
  }
  return true;
}

// The digits times 2^exponent in nano, rounded up, at most the cap.
Uint128 ScaleBinary(const Parts& parts, std::int64_t exponent) {
  constexpr Uint128 kCap = kBinaryCap * kNanoPerUnit;
  Uint128 whole = 0;
  for (const char digit : parts.whole) {
    if (!Append(whole, digit)) return kCap;
  }
  std::string fraction(parts.fraction);
  for (std::int64_t i = 0; i < exponent; ++i) {
    int carry = 0;
    for (std::size_t at = fraction.size(); at-- > 0;) {
      const int doubled = 2 * (fraction[at] - '0') + carry;
      fraction[at] = static_cast<char>('0' + doubled % 10);
      carry = doubled / 10;
    }
    whole = 2 * whole + static_cast<unsigned>(carry);
    if (whole > kBinaryCap) return kCap;
  }
  if (whole > kBinaryCap) return kCap;
  Uint128 nano = 0;
  Parts below{.fraction = fraction};
  ScaleDecimal(below, 9 - static_cast<std::int64_t>(fraction.size()), nano);
  return std::min(kCap, whole * kNanoPerUnit + nano);
}

}  // namespace

// The canonical text of a decimal quantity that is larger than any Quantity.
std::string LargeText(const Parts& parts, const Suffix& suffix) {
  std::string digits = std::string(parts.whole) + std::string(parts.fraction);
  digits.erase(0, digits.find_first_not_of('0'));
  std::int64_t exponent = suffix.exponent - static_cast<std::int64_t>(parts.fraction.size());
  bool rounds_up = false;
  for (; exponent < -9; ++exponent) {
    rounds_up |= digits.back() != '0';
    digits.pop_back();
  }
  for (std::size_t at = digits.size(); rounds_up && at-- > 0;) {
    rounds_up = digits[at] == '9';
    digits[at] = rounds_up ? '0' : static_cast<char>(digits[at] + 1);
  }
  if (rounds_up) digits.insert(0, 1, '1');
  for (; digits.back() == '0'; ++exponent) digits.pop_back();
  for (; exponent % 3 != 0; --exponent) digits += '0';
  const std::string sign = parts.negative ? "-" : "";
  if (suffix.format == Quantity::Format::kDecimalExponent) {
    return exponent == 0 ? sign + digits : fmt::format("{}{}e{}", sign, digits, exponent);
  }
  for (; exponent > 18; --exponent) digits += '0';  // suffixes end at E
  std::string text = sign + digits;
  if (exponent != 0) text += kDecimalSuffixes[static_cast<std::size_t>(exponent + 9) / 3];
  return text;
}

// Where the parts become a Quantity.
class QuantityParser {
 public:
  static Result<Quantity> Parse(std::string_view text) {
    if (const std::optional<Quantity> usual = ParseUsual(text)) return *usual;
    Parts parts;
    Suffix suffix;
    bool too_large = false;
    return Parse(text, parts, suffix, too_large);
  }

  static Result<Quantity> Parse(std::string_view text, Parts& parts, Suffix& suffix,
                                bool& too_large) {
    if (text.empty() || !Split(text, parts)) return Refuse(kFormatWrong);
    if (!ParseSuffix(parts.suffix, suffix)) return Refuse(kSuffixWrong);
    const bool quick =
        suffix.base == 2 ? parts.QuickBinary(suffix.exponent) : parts.QuickDecimal(suffix.exponent);
    if (!quick && !parts.any_digit) return Refuse(kNumberWrong);
    Uint128 nano = 0;
    if (suffix.base == 2) {
      nano = ScaleBinary(parts, suffix.exponent);
      if (nano != 0 && nano < static_cast<Uint128>(kNanoPerUnit)) {
        suffix.format = Quantity::Format::kDecimalSI;
      }
    } else {
      const std::int64_t scale = suffix.exponent - static_cast<std::int64_t>(parts.fraction.size());
      too_large = !ScaleDecimal(parts, scale + 9, nano);
      if (too_large) nano = static_cast<Uint128>(kMost);
    }
    const auto amount = static_cast<Int128>(nano);
    return Quantity::FromNano(parts.negative ? -amount : amount, suffix.format);
  }

 private:
  // What nearly all quantities are: a few digits, and no suffix, m, Ki, Mi or Gi.
  static std::optional<Quantity> ParseUsual(std::string_view text) {
    std::int64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && IsDigit(text[digits]); ++digits) {
      if (digits == 9) return std::nullopt;
      number = number * 10 + (text[digits] - '0');
    }
    if (digits == 0) return std::nullopt;
    const std::string_view suffix = text.substr(digits);
    if (suffix.empty()) return Quantity::Of(number);
    if (suffix == "m") return Quantity::OfMilli(number);
    if (suffix == "Ki") return Quantity::Of(number << 10, Quantity::Format::kBinarySI);
    if (suffix == "Mi") return Quantity::Of(number << 20, Quantity::Format::kBinarySI);
    if (suffix == "Gi") return Quantity::Of(number << 30, Quantity::Format::kBinarySI);
    return std::nullopt;
  }
};

Result<Quantity> Quantity::Parse(std::string_view text) { return QuantityParser::Parse(text); }

Result<std::string> Quantity::Normalize(std::string_view text) {
  Parts parts;
  Suffix suffix;
  bool too_large = false;
  const Result<Quantity> quantity = QuantityParser::Parse(text, parts, suffix, too_large);
  if (!quantity) return std::unexpected(quantity.error());
  // Kubernetes keeps the text where a quick look says that it is canonical, which is not quite so:
  // "+1" and "1.500" stay.
  bool keep = !parts.whole.empty();
  if (suffix.base == 2) {
    keep = keep && parts.QuickBinary(suffix.exponent);
    std::uint64_t value = 0;
    for (std::size_t i = 0; keep && i < parts.whole.size(); ++i) {
      value = value * 10 + static_cast<unsigned>(parts.whole[i] - '0');
    }
    keep = keep && value % 8 != 0;
  } else {
    const std::int64_t scale = suffix.exponent - static_cast<std::int64_t>(parts.fraction.size());
    std::size_t zeros = 0;
    while (zeros < parts.digits() && parts.digit(parts.digits() - 1 - zeros) == '0') ++zeros;
    keep = keep && parts.QuickDecimal(suffix.exponent) && scale % 3 == 0 && zeros < 3;
  }
  if (keep) return std::string(text);
  return too_large ? LargeText(parts, suffix) : quantity->ToString();
}

Quantity Quantity::FromNano(Int128 nano, Format format) {
  nano = std::clamp<Int128>(nano, -kMost, kMost);
  Quantity quantity;
  quantity.high_ = static_cast<std::int64_t>(nano >> 62);
  quantity.low_ = (static_cast<std::uint64_t>(nano) << 2) | static_cast<std::uint64_t>(format);
  return quantity;
}

Quantity Quantity::Of(std::int64_t value, Format format) {
  return FromNano(value * kNanoPerUnit, format);
}

Quantity Quantity::OfMilli(std::int64_t value, Format format) {
  return FromNano(value * kNanoPerMilli, format);
}

std::int64_t Quantity::Value() const { return Clamp(DivideUp(Nano(), kNanoPerUnit)); }

std::int64_t Quantity::MilliValue() const { return Clamp(DivideUp(Nano(), kNanoPerMilli)); }

double Quantity::ToDouble() const { return static_cast<double>(Nano()) / 1e9; }

Quantity& Quantity::operator+=(const Quantity& other) {
  const Int128 nano = Nano();
  *this = FromNano(nano + other.Nano(), nano == 0 ? other.format() : format());
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) {
  const Int128 nano = Nano();
  *this = FromNano(nano - other.Nano(), nano == 0 ? other.format() : format());
  return *this;
}

std::string Quantity::ToString() const {
  Int128 nano = Nano();
  if (nano == 0) return "0";
  Format shown = format();
  if (shown == Format::kBinarySI) {
    const Int128 units = nano / kNanoPerUnit;
    const bool small = nano > -1024 * kNanoPerUnit && nano < 1024 * kNanoPerUnit;
    if (!small && nano % kNanoPerUnit == 0) {
      Int128 mantissa = units;
      std::size_t step = 0;
      for (; step < kBinarySuffixes.size() && mantissa % 1024 == 0; ++step) mantissa /= 1024;
      if (step == 0) return ToDecimal(mantissa);
      return fmt::format("{}{}i", ToDecimal(mantissa), kBinarySuffixes[step - 1]);
    }
    shown = Format::kDecimalSI;  // no precision is lost for the notation's sake
  }
  // Steps of 10^3 from nano. Suffixes end at E; exponents do not.
  std::size_t step = 0;
  const std::size_t last = shown == Format::kDecimalSI ? kDecimalSuffixes.size() - 1 : 99;
  for (; step < last && nano % 1000 == 0; ++step) nano /= 1000;
  const int exponent = -9 + 3 * static_cast<int>(step);
  if (exponent == 0) return ToDecimal(nano);
  if (shown == Format::kDecimalExponent) return fmt::format("{}e{}", ToDecimal(nano), exponent);
  return fmt::format("{}{}", ToDecimal(nano), kDecimalSuffixes[step]);
}

}  // namespace basalt::kube
