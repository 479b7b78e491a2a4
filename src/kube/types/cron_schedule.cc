#include "kube/types/cron_schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "kube/types/time.h"

namespace basalt::kube {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::minutes;

constexpr auto kFurthest = days(10 * 366);

constexpr std::array<std::string_view, 12> kMonthNames{"jan", "feb", "mar", "apr", "may", "jun",
                                                       "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kDayNames{"sun", "mon", "tue", "wed",
                                                    "thu", "fri", "sat"};

struct CronField {
  std::string_view name;
  int least;
  int most;
  std::span<const std::string_view> names;  // of `least` and those that follow
};

constexpr std::array<CronField, 5> kCronFields{{{"minute", 0, 59, {}},
                                                {"hour", 0, 23, {}},
                                                {"day of month", 1, 31, {}},
                                                {"month", 1, 12, kMonthNames},
                                                {"day of week", 0, 6, kDayNames}}};

struct CronShortcut {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<CronShortcut, 7> kCronShortcuts{{{"@yearly", "0 0 1 1 *"},
                                                      {"@annually", "0 0 1 1 *"},
                                                      {"@monthly", "0 0 1 * *"},
                                                      {"@weekly", "0 0 * * 0"},
                                                      {"@daily", "0 0 * * *"},
                                                      {"@midnight", "0 0 * * *"},
                                                      {"@hourly", "0 * * * *"}}};

std::unexpected<Error> BadSchedule(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("schedule \"{}\": {}", text, why));
}

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// One field: which values it names, and whether it is just `*`.
class CronFieldReader {
 public:
  explicit CronFieldReader(const CronField& field) : field_(field) {}

  bool Read(std::string_view text) {
    for (const std::string_view part : SplitAt(text, ",")) {
      if (!ReadPart(part)) return false;
    }
    return true;
  }

  std::uint64_t bits() const { return bits_; }
  bool any() const { return any_; }
  const std::string& why() const { return why_; }

 private:
  bool Refuse(std::string_view part, std::string_view why) {
    why_ = fmt::format("{}: \"{}\": {}", field_.name, part, why);
    return false;
  }

  std::optional<int> Number(std::string_view text) const {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !IsDigit(text.front())) return std::nullopt;
    return value;
  }

  std::optional<int> Value(std::string_view text) const {
    if (text.empty()) return std::nullopt;
    const auto name = std::ranges::find(field_.names, ToLower(text));
    if (name != field_.names.end()) {
      return field_.least + static_cast<int>(name - field_.names.begin());
    }
    return Number(text);
  }

  bool ReadPart(std::string_view part) {
    const auto range_and_step = SplitAt(part, "/");
    const auto range = SplitAt(range_and_step[0], "-");
    if (range_and_step.size() > 2 || range.size() > 2) {
      return Refuse(part, "want a number, a range A-B, and a step /N at most");
    }
    const bool star = range.size() == 1 && (range[0] == "*" || range[0] == "?");
    int from = field_.least, to = field_.most, step = 1;
    if (!star) {
      const auto first = Value(range[0]);
      const auto last = range.size() == 2 ? Value(range[1]) : first;
      if (!first || !last) return Refuse(part, Want());
      from = *first;
      // N/S is every S from N on.
      to = range.size() == 1 && range_and_step.size() == 2 ? field_.most : *last;
    }
    if (range_and_step.size() == 2) {
      const auto number = range_and_step[1].empty() ? std::nullopt : Number(range_and_step[1]);
      if (!number || *number < 1) return Refuse(part, "a step is a whole number from 1 on");
      step = *number;
    }
    if (from < field_.least || to > field_.most || from > field_.most) return Refuse(part, Want());
    if (from > to) return Refuse(part, "the range ends before it begins");
    for (int value = from; value <= to; value += std::min(step, field_.most + 1)) {
      bits_ |= std::uint64_t{1} << value;
    }
    if (star && step == 1) any_ = true;
    return true;
  }

  std::string Want() const {
    std::string want = fmt::format("want numbers from {} to {}", field_.least, field_.most);
    if (!field_.names.empty()) {
      want += fmt::format(" or names from {} to {}", field_.names.front(), field_.names.back());
    }
    return want;
  }

  const CronField& field_;
  std::uint64_t bits_ = 0;
  bool any_ = false;
  std::string why_;
};

bool HasBit(std::uint64_t bits, unsigned value) { return (bits >> value & 1) != 0; }

// The first value from `from` on; nothing: there is none.
std::optional<int> NextBit(std::uint64_t bits, int from) {
  const std::uint64_t left = bits >> from << from;
  if (left == 0) return std::nullopt;
  return std::countr_zero(left);
}

}  // namespace

Result<CronSchedule> CronSchedule::Parse(std::string_view text) {
  CronSchedule schedule;
  if (text.find("TZ=") != std::string_view::npos) {
    return BadSchedule(text, "a time zone does not belong here; use timeZone");
  }
  std::string_view meaning = text;
  if (text.starts_with("@every ")) {
    const auto every = ParseDuration(text.substr(7));
    if (!every) return BadSchedule(text, every.error().message);
    if (*every <= 0s) return BadSchedule(text, "the duration must be positive");
    schedule.every_ =
        std::max<Duration>(std::chrono::floor<std::chrono::seconds>(*every), Duration(1s));
    return schedule;
  }
  if (text.starts_with('@')) {
    const auto shortcut = std::ranges::find(kCronShortcuts, text, &CronShortcut::name);
    if (shortcut == kCronShortcuts.end()) {
      return BadSchedule(text,
                         "want @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly "
                         "or @every DURATION");
    }
    meaning = shortcut->meaning;
  }
  std::vector<std::string_view> parts = SplitAt(meaning, " \t");
  std::erase(parts, std::string_view());
  if (parts.empty()) return BadSchedule(text, "is empty; want five fields or @hourly and the like");
  if (parts.size() != kCronFields.size()) {
    return BadSchedule(text, fmt::format("has {} fields; want five: minute, hour, day of month, "
                                         "month, day of week",
                                         parts.size()));
  }
  const std::array<std::uint64_t*, 5> bits{&schedule.minutes_, &schedule.hours_, &schedule.days_,
                                           &schedule.months_, &schedule.weekdays_};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    CronFieldReader reader(kCronFields[i]);
    if (!reader.Read(parts[i])) return BadSchedule(text, reader.why());
    *bits[i] = reader.bits();
    if (i == 2) schedule.any_day_ = reader.any();
    if (i == 4) schedule.any_weekday_ = reader.any();
  }
  return schedule;
}

bool CronSchedule::DayMatches(local_days day) const {
  const std::chrono::year_month_day date(day);
  const bool by_day = HasBit(days_, static_cast<unsigned>(date.day()));
  const bool by_weekday = HasBit(weekdays_, std::chrono::weekday(day).c_encoding());
  return any_day_ || any_weekday_ ? by_day && by_weekday : by_day || by_weekday;
}

std::optional<CronSchedule::LocalMinutes> CronSchedule::NextLocal(LocalMinutes from,
                                                                  LocalMinutes until) const {
  while (from < until) {
    const local_days day = std::chrono::floor<days>(from);
    const std::chrono::year_month_day date(day);
    if (!HasBit(months_, static_cast<unsigned>(date.month()))) {
      from = local_days(date.year() / date.month() / 1 + std::chrono::months(1));
      continue;
    }
    const auto time = from - day;
    const auto hour = NextBit(hours_, static_cast<int>(time / hours(1)));
    if (!DayMatches(day) || !hour) {
      from = day + days(1);
      continue;
    }
    if (*hour != time / hours(1)) from = day + hours(*hour);
    const auto minute = NextBit(minutes_, static_cast<int>((from - day) % hours(1) / minutes(1)));
    if (!minute) {
      from = day + hours(*hour + 1);
      continue;
    }
    from = day + hours(*hour) + minutes(*minute);
    return from < until ? std::optional(from) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Time> CronSchedule::Next(Time after, const TimeZone& zone) const {
  if (after > Time::max() - kFurthest - days(2) || after < Time::min() + days(2)) {
    return std::nullopt;
  }
  if (every_) {
    const Time whole = std::chrono::floor<std::chrono::seconds>(after);
    return *every_ < Time::max() - whole ? std::optional(whole + *every_) : std::nullopt;
  }
  const Time furthest = after + kFurthest;
  Time from = after + Duration(1);
  // One stretch of time with the same offset after the other: within one, clocks just go on.
  while (from < furthest) {
    const TimeZone::Stretch stretch = zone.At(from);
    const Time end = std::min(stretch.until, furthest);
    const auto local = [&](Time at) {
      return LocalMinutes(
          std::chrono::ceil<minutes>(at.time_since_epoch() + Duration(stretch.offset)));
    };
    if (const auto found = NextLocal(local(from), local(end))) {
      return Time(Duration(found->time_since_epoch()) - Duration(stretch.offset));
    }
    from = end;
  }
  return std::nullopt;
}

std::optional<Time> CronSchedule::Latest(Time after, Time until, const TimeZone& zone) const {
  const auto first = Next(after, zone);
  if (!first || *first > until) return std::nullopt;
  if (every_) return *first + (until - *first) / *every_ * *every_;
  // From the first of these moments on Next is not later than `until`, from the second on it is.
  Time early = after, late = until;
  while (late - early > Duration(1s)) {
    const Time middle = early + (late - early) / 2;
    const auto next = Next(middle, zone);
    (next && *next <= until ? early : late) = middle;
  }
  return Next(early, zone);
}

}  // namespace basalt::kube
