#include "net/http_text.h"

#include <fmt/core.h>

#include <boost/beast/http/status.hpp>
#include <chrono>

namespace basalt::net {
namespace {

void AppendWithoutLineEnds(std::string& out, std::string_view text) {
  for (const char c : text) out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
}

}  // namespace

std::string_view ReasonPhrase(int status) {
  const auto known = boost::beast::http::int_to_status(static_cast<unsigned>(status));
  if (known == boost::beast::http::status::unknown) return "-";
  const auto text = boost::beast::http::obsolete_reason(known);
  return {text.data(), text.size()};
}

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  AppendWithoutLineEnds(out, name);
  out += ": ";
  AppendWithoutLineEnds(out, value);
  out += "\r\n";
}

std::string HttpDate(Time time) {
  static constexpr std::string_view kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{std::chrono::floor<std::chrono::seconds>(time - day)};
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
      clock.seconds().count());
}

}  // namespace basalt::net
