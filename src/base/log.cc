#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/log_muted.h"

namespace basalt::log {
namespace {

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %L %v";

std::atomic<Format> g_format{Format::kText};
thread_local int t_muted = 0;

spdlog::level::level_enum ToSpdlog(Level level) {
  switch (level) {
    case Level::kDebug: return spdlog::level::debug;
    case Level::kInfo: return spdlog::level::info;
    case Level::kWarning: return spdlog::level::warn;
    case Level::kError: return spdlog::level::err;
  }
  return spdlog::level::info;
}

spdlog::logger& Logger() {
  static const auto logger = [] {
    auto made = std::make_shared<spdlog::logger>("basalt",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern(kTextPattern, spdlog::pattern_time_type::utc);
    return made;
  }();
  return *logger;
}

// What makes a terminal do something: the control characters of ASCII and, in UTF-8, of Latin-1.
bool IsControl(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x20 || byte == 0x7f) return true;
  if (byte != 0xc2 || at + 1 == text.size()) return false;
  const auto next = static_cast<unsigned char>(text[at + 1]);
  return next >= 0x80 && next < 0xa0;
}

bool HasControl(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsControl(text, i)) return true;
  }
  return false;
}

// In quotes, as JSON has it, and without any control character.
std::string Quoted(const std::string& value) {
  const std::string json = boost::json::serialize(boost::json::value(value));
  if (!HasControl(json)) return json;
  std::string quoted;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!IsControl(json, i)) {
      quoted += json[i];
    } else {
      if (static_cast<unsigned char>(json[i]) == 0xc2) ++i;
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(json[i]));
    }
  }
  return quoted;
}

// A value stands bare where a reader can tell its end, quoted otherwise.
void AppendText(std::string& line, std::string_view name, const std::string& value) {
  line += ' ';
  line += name;
  line += '=';
  const bool bare =
      !value.empty() && value.find_first_of(" \"=") == std::string::npos && !HasControl(value);
  line += bare ? value : Quoted(value);
}

void AppendJson(std::string& line, std::string_view name, std::string_view value) {
  line += ',';
  line += boost::json::serialize(boost::json::value(boost::json::string(name)));
  line += ':';
  line += boost::json::serialize(boost::json::value(boost::json::string(value)));
}

}  // namespace

void Configure(Level least, Format format) {
  g_format = format;
  Logger().set_level(ToSpdlog(least));
  Logger().set_pattern(
      format == Format::kJson ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l"%v})" : kTextPattern,
      spdlog::pattern_time_type::utc);
}

Muted::Muted() { ++t_muted; }
Muted::~Muted() { --t_muted; }

bool Enabled(Level level) { return t_muted == 0 && Logger().should_log(ToSpdlog(level)); }

void Write(Level level, std::string_view message, Fields fields) {
  if (!Enabled(level)) return;
  std::string line;
  if (g_format == Format::kJson) {
    AppendJson(line, "message", message);
    for (const Field& field : fields) AppendJson(line, field.name, field.value);
  } else {
    line = message;
    for (const Field& field : fields) AppendText(line, field.name, field.value);
  }
  Logger().log(ToSpdlog(level), line);
}

}  // namespace basalt::log
