#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace basalt::log {
namespace {

std::atomic<Format> g_format{Format::kText};

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
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %L %v", spdlog::pattern_time_type::utc);
    return made;
  }();
  return *logger;
}

// A value stands bare where a reader can tell its end, quoted otherwise.
void AppendText(std::string& line, std::string_view name, const std::string& value) {
  line += ' ';
  line += name;
  line += '=';
  const bool bare = !value.empty() && value.find_first_of(" \t\r\n\"=") == std::string::npos;
  line += bare ? value : boost::json::serialize(boost::json::value(value));
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
  if (format == Format::kJson) {
    Logger().set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l"%v})",
                         spdlog::pattern_time_type::utc);
  }
}

bool Enabled(Level level) { return Logger().should_log(ToSpdlog(level)); }

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
