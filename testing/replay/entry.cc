#include "testing/replay/entry.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <charconv>

namespace basalt::scheduler {
namespace {

namespace json = boost::json;

std::unexpected<Error> Bad(std::string_view what, std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("not {}: {}", what, text.substr(0, 80)));
}

}  // namespace

std::string ToLine(const Entry& entry) {
  return fmt::format("{} {} {}\n", entry.kind, entry.number, entry.text);
}

Result<Entry> ParseEntry(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == line.npos ? line.npos : line.find(' ', first + 1);
  if (second == line.npos) return Bad("an entry of a recording", line);
  Entry entry{.kind = std::string(line.substr(0, first)),
              .text = std::string(line.substr(second + 1))};
  const std::string_view number = line.substr(first + 1, second - first - 1);
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), entry.number);
  if (error != std::errc() || end != number.data() + number.size() || number.empty()) {
    return Bad("an entry of a recording", line);
  }
  return entry;
}

std::string QuoteText(std::string_view text) { return json::serialize(json::string(text)); }

Result<std::string> UnquoteText(std::string_view quoted) {
  boost::system::error_code error;
  const json::value value = json::parse(quoted, error);
  if (error || !value.is_string()) return Bad("a quoted text", quoted);
  return std::string(value.get_string().data(), value.get_string().size());
}

std::string ErrorText(const Error& error) {
  return json::serialize(
      json::object{{"code", static_cast<int>(error.code)},
                   {"message", error.message},
                   {"status", error.http_status},
                   {"retryAfter", error.retry_after ? error.retry_after->count() : -1},
                   {"unsent", error.unsent}});
}

Result<Error> ParseErrorText(std::string_view text) {
  boost::system::error_code failed;
  const json::value value = json::parse(text, failed);
  const json::object* object = failed ? nullptr : value.if_object();
  if (!object) return Bad("an error", text);
  const auto number = [&](std::string_view name) -> std::int64_t {
    const json::value* field = object->if_contains(name);
    return field && field->is_int64() ? field->get_int64() : -1;
  };
  const json::value* message = object->if_contains("message");
  const json::value* unsent = object->if_contains("unsent");
  const std::int64_t code = number("code");
  if (code < 0 || code > static_cast<int>(ErrorCode::kInternal) || !message ||
      !message->is_string()) {
    return Bad("an error", text);
  }
  Error error{.code = static_cast<ErrorCode>(code),
              .message = std::string(message->get_string().data(), message->get_string().size()),
              .http_status = static_cast<int>(number("status")),
              .unsent = unsent && unsent->is_bool() && unsent->get_bool()};
  if (const std::int64_t seconds = number("retryAfter"); seconds >= 0) {
    error.retry_after = std::chrono::seconds(seconds);
  }
  return error;
}

std::string RequestText(const kube::ApiRequest& request) {
  std::string text = request.method + " " + request.path;
  char separator = '?';
  for (const auto& [name, value] : request.query) {
    text += separator + name + "=" + value;
    separator = '&';
  }
  if (!request.body.empty()) text += " " + request.content_type + " " + request.body;
  return QuoteText(text);
}

}  // namespace basalt::scheduler
