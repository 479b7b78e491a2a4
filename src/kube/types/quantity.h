#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace basalt::kube {

// An amount of a resource, as Kubernetes' resource.Quantity: an exact decimal with nine places, and
// the notation it was written in. 16 bytes, a value.
//
// The range is ±2^125 nano (about 4.2e28), far more than Kubernetes' own int64 fast path. What lies
// outside is at the limit, as sums are: callers count in int64 anyway. As in Kubernetes a binary
// quantity ("16Ei") is capped at 2^63-1, and digits below nano round away from zero.
class Quantity {
 public:
  enum class Format : std::uint8_t { kDecimalSI, kBinarySI, kDecimalExponent };

  constexpr Quantity() = default;
  // `value` whole units.
  static Quantity Of(std::int64_t value, Format format = Format::kDecimalSI);
  static Quantity OfMilli(std::int64_t value, Format format = Format::kDecimalSI);
  // Errors in Kubernetes' words.
  static Result<Quantity> Parse(std::string_view text);
  // What an API server gives back for `text`: the canonical form, except for some texts that it
  // takes for canonical and keeps ("1.500", "+1").
  static Result<std::string> Normalize(std::string_view text);

  // Whole units and thousandths, rounded away from zero; at int64's limits where it is out of
  // range.
  std::int64_t Value() const;
  std::int64_t MilliValue() const;
  double ToDouble() const;
  // The canonical form, the one that an API server gives back: "500m", "1Gi", "1e3".
  std::string ToString() const;

  Format format() const { return static_cast<Format>(low_ & 3u); }
  bool IsZero() const { return Nano() == 0; }
  int Sign() const { return Nano() < 0 ? -1 : Nano() > 0; }

  Quantity operator-() const { return FromNano(-Nano(), format()); }
  // The format stays that of the left side, unless that is zero.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }

  // By amount alone: "1" == "1000m".
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.Nano() == b.Nano(); }
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return a.Nano() <=> b.Nano();
  }

 private:
  __extension__ using Int128 = __int128;
  friend class QuantityParser;

  static Quantity FromNano(Int128 nano, Format format);
  Int128 Nano() const {
    return (static_cast<Int128>(high_) << 62) | static_cast<Int128>(low_ >> 2);
  }

  // nano = high_ * 2^62 + low_ / 4; the two lowest bits of low_ are the format.
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace basalt::kube
