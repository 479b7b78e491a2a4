#include "kube/types/time_zone.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/ascii.h"

namespace basalt::kube {
namespace {

constexpr std::string_view kZoneDirectory = "/usr/share/zoneinfo";
// Zones have some hundred changes; a file with more than this is none.
constexpr std::size_t kMostZoneBytes = 1 << 20;
constexpr std::int32_t kMostOffset = 26 * 3600;

std::unexpected<Error> NotAZone(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("not a time zone file: {}", why));
}

// Seconds since 1970 as a Time; what that does not hold becomes its first or last moment.
Time SecondsToTime(std::int64_t seconds) {
  constexpr std::int64_t kMost = Time::max().time_since_epoch().count() / 1'000'000'000;
  return Time(std::chrono::seconds(std::clamp(seconds, -kMost, kMost)));
}

// Reads big-endian numbers from left to right; zero once the text has ended too early.
class ZoneBytes {
 public:
  explicit ZoneBytes(std::string_view bytes) : rest_(bytes) {}

  std::int64_t Number(std::size_t size) {
    if (!Has(size)) return 0;
    std::uint64_t value = 0;
    for (const char c : rest_.substr(0, size)) value = value << 8 | static_cast<unsigned char>(c);
    rest_.remove_prefix(size);
    return size == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
  }
  void Skip(std::size_t size) {
    if (Has(size)) rest_.remove_prefix(size);
  }
  std::string_view rest() const { return rest_; }
  bool ok() const { return ok_; }

 private:
  bool Has(std::size_t size) { return ok_ = ok_ && rest_.size() >= size; }

  std::string_view rest_;
  bool ok_ = true;
};

struct ZoneCounts {
  char version = '\0';
  std::array<std::size_t, 6> n{};  // isut, isstd, leap, times, types, characters
  std::size_t Bytes(std::size_t time_size) const {
    return n[3] * time_size + n[3] + n[4] * 6 + n[5] + n[2] * (time_size + 4) + n[1] + n[0];
  }
};

std::optional<ZoneCounts> ReadHeader(ZoneBytes& bytes) {
  if (!bytes.rest().starts_with("TZif") || bytes.rest().size() < 44) return std::nullopt;
  ZoneCounts counts{.version = bytes.rest()[4]};
  bytes.Skip(20);
  for (std::size_t& n : counts.n) {
    const std::int64_t number = bytes.Number(4);
    if (number < 0 || number > static_cast<std::int64_t>(kMostZoneBytes)) return std::nullopt;
    n = static_cast<std::size_t>(number);
  }
  return counts;
}

}  // namespace

// The last line of a zone's file: "CET-1CEST,M3.5.0,M10.5.0/3".
class TimeZone::Footer {
 public:
  explicit Footer(std::string_view text) : rest_(text) {}

  std::optional<Forever> Read() {
    Forever forever;
    if (!Name()) return std::nullopt;
    const auto standard = Clock();
    if (!standard) return std::nullopt;
    forever.standard = -*standard;  // POSIX counts westwards
    if (rest_.empty()) return forever;
    if (!Name()) return std::nullopt;
    forever.summer = forever.standard + 3600;
    if (!rest_.starts_with(',')) {
      const auto summer = Clock();
      if (!summer) return std::nullopt;
      forever.summer = -*summer;
    }
    if (!(forever.to_summer = ReadRule()) || !(forever.to_standard = ReadRule())) {
      return std::nullopt;
    }
    return rest_.empty() ? std::optional(forever) : std::nullopt;
  }

 private:
  bool Name() {
    if (rest_.starts_with('<')) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
      return true;
    }
    const std::size_t end = std::min(rest_.find_first_of("+-0123456789,"), rest_.size());
    rest_.remove_prefix(end);
    return end >= 3;
  }

  std::optional<int> Number(int most) {
    int value = 0;
    std::size_t digits = 0;
    while (digits < rest_.size() && IsDigit(rest_[digits]) && value <= most) {
      value = value * 10 + (rest_[digits++] - '0');
    }
    if (digits == 0 || value > most) return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

  // [+-]hh[:mm[:ss]] in seconds.
  std::optional<std::int32_t> Clock() {
    int sign = 1;
    if (rest_.starts_with('-') || rest_.starts_with('+')) {
      sign = rest_[0] == '-' ? -1 : 1;
      rest_.remove_prefix(1);
    }
    const auto hours = Number(167);
    if (!hours) return std::nullopt;
    std::int32_t seconds = *hours * 3600;
    for (const int unit : {60, 1}) {
      if (!rest_.starts_with(':')) break;
      rest_.remove_prefix(1);
      const auto part = Number(59);
      if (!part) return std::nullopt;
      seconds += *part * unit;
    }
    return sign * seconds;
  }

  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<Rule> ReadRule() {
    if (!Take(',')) return std::nullopt;
    Rule rule;
    if (Take('M')) {
      const auto month = Number(12);
      if (!month || *month < 1 || !Take('.')) return std::nullopt;
      const auto week = Number(5);
      if (!week || *week < 1 || !Take('.')) return std::nullopt;
      const auto day = Number(6);
      if (!day) return std::nullopt;
      rule.month = *month;
      rule.week = *week;
      rule.day = *day;
    } else {
      rule.kind = Take('J') ? Rule::Kind::kDayWithoutLeap : Rule::Kind::kDayOfYear;
      const auto day = Number(365);
      if (!day) return std::nullopt;
      rule.day = *day;
    }
    if (Take('/')) {
      const auto time = Clock();
      if (!time) return std::nullopt;
      rule.seconds = *time;
    }
    return rule;
  }

  std::string_view rest_;
};

Result<TimeZone> TimeZone::Load(std::string_view name) {
  if (name == "UTC") return TimeZone();
  const auto unknown = [&] {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("unknown time zone \"{}\"", name));
  };
  // A name is a path below the database and nothing else.
  const auto ordinary = [](char c) {
    const char lower = ToLower(c);
    return (lower >= 'a' && lower <= 'z') || IsDigit(c) || c == '/' || c == '_' || c == '-' ||
           c == '+';
  };
  if (name.empty() || name.size() > 128 || name.front() == '/' ||
      !std::all_of(name.begin(), name.end(), ordinary)) {
    return unknown();
  }
  const char* directory = std::getenv("TZDIR");
  std::string path(directory != nullptr && *directory != '\0' ? directory : kZoneDirectory);
  path += '/';
  path += name;
  std::ifstream file(path, std::ios::binary);
  if (!file) return unknown();
  std::string bytes(kMostZoneBytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  auto zone = Parse(bytes);
  if (!zone) return unknown();
  return zone;
}

Result<TimeZone> TimeZone::Parse(std::string_view tzif) {
  ZoneBytes bytes(tzif);
  auto counts = ReadHeader(bytes);
  if (!counts) return NotAZone("no header");
  std::size_t time_size = 4;
  if (counts->version >= '2') {
    // The same again, with times that reach further.
    bytes.Skip(counts->Bytes(4));
    counts = ReadHeader(bytes);
    if (!counts) return NotAZone("no second header");
    time_size = 8;
  }
  const std::size_t changes = counts->n[3], types = counts->n[4];
  if (types == 0 || bytes.rest().size() < counts->Bytes(time_size)) return NotAZone("cut short");
  TimeZone zone;
  ZoneBytes times(bytes.rest());
  ZoneBytes indexes(bytes.rest().substr(changes * time_size));
  std::vector<std::int32_t> offsets;
  ZoneBytes entries(bytes.rest().substr(changes * time_size + changes));
  for (std::size_t i = 0; i < types; ++i) {
    const std::int64_t offset = entries.Number(4);
    if (std::abs(offset) > kMostOffset) return NotAZone("an offset of more than a day");
    offsets.push_back(static_cast<std::int32_t>(offset));
    entries.Skip(2);
  }
  zone.first_offset_ = offsets.front();
  for (std::size_t i = 0; i < changes; ++i) {
    const std::int64_t at = times.Number(time_size);
    const auto index = static_cast<std::size_t>(indexes.Number(1));
    if (index >= offsets.size()) return NotAZone("a type that is not there");
    if (!zone.changes_.empty() && at <= zone.changes_.back().at) return NotAZone("out of order");
    zone.changes_.push_back({at, offsets[index]});
  }
  if (time_size == 8) {
    bytes.Skip(counts->Bytes(time_size));
    std::string_view footer = bytes.rest();
    if (footer.size() < 2 || footer.front() != '\n') return NotAZone("no last line");
    footer = footer.substr(1, footer.find('\n', 1) - 1);
    if (!footer.empty()) {
      zone.forever_ = Footer(footer).Read();
      if (!zone.forever_) return NotAZone("its last line cannot be read");
    }
  }
  return zone;
}

TimeZone::Stretch TimeZone::At(Time at) const {
  const std::int64_t seconds =
      std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  const auto next =
      std::upper_bound(changes_.begin(), changes_.end(), seconds,
                       [](std::int64_t value, const Change& change) { return value < change.at; });
  if (next == changes_.end() && forever_) return AtForever(seconds);
  Stretch stretch;
  stretch.offset = std::chrono::seconds(next == changes_.begin() ? first_offset_ : next[-1].offset);
  if (next != changes_.end()) stretch.until = SecondsToTime(next->at);
  return stretch;
}

// Midnight of the rule's day, in seconds since 1970 as if clocks were UTC.
std::int64_t TimeZone::DayOf(const Rule& rule, int year) {
  using std::chrono::sys_days;
  const std::chrono::year y(year);
  sys_days day;
  switch (rule.kind) {
    case Rule::Kind::kMonthWeekDay: {
      const std::chrono::year_month month = y / rule.month;
      const std::chrono::weekday weekday(static_cast<unsigned>(rule.day));
      day = rule.week == 5 ? sys_days(month / weekday[std::chrono::last])
                           : sys_days(month / weekday[static_cast<unsigned>(rule.week)]);
      break;
    }
    case Rule::Kind::kDayWithoutLeap:
      day = sys_days(y / 1 / 1) + std::chrono::days(rule.day - 1);
      if (y.is_leap() && rule.day >= 60) day += std::chrono::days(1);
      break;
    case Rule::Kind::kDayOfYear: day = sys_days(y / 1 / 1) + std::chrono::days(rule.day); break;
  }
  return std::chrono::sys_seconds(day).time_since_epoch().count();
}

TimeZone::Stretch TimeZone::AtForever(std::int64_t at) const {
  if (!forever_->to_summer) return {.offset = std::chrono::seconds(forever_->standard)};
  const std::chrono::sys_seconds moment{std::chrono::seconds(at)};
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(moment));
  const int year = static_cast<int>(date.year());
  std::vector<Change> around;
  for (int y = year - 1; y <= year + 1; ++y) {
    // A rule's hour is that of the clocks before the change.
    around.push_back(
        {DayOf(*forever_->to_summer, y) + forever_->to_summer->seconds - forever_->standard,
         forever_->summer});
    around.push_back(
        {DayOf(*forever_->to_standard, y) + forever_->to_standard->seconds - forever_->summer,
         forever_->standard});
  }
  std::sort(around.begin(), around.end(),
            [](const Change& a, const Change& b) { return a.at < b.at; });
  const auto next =
      std::upper_bound(around.begin(), around.end(), at,
                       [](std::int64_t value, const Change& change) { return value < change.at; });
  Stretch stretch;
  stretch.offset =
      std::chrono::seconds(next == around.begin() ? forever_->standard : next[-1].offset);
  if (next != around.end()) stretch.until = SecondsToTime(next->at);
  return stretch;
}

}  // namespace basalt::kube
