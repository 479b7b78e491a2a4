#pragma once

#include <fmt/core.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

// Structured logging: a constant message and named values. Text or JSON, to standard error.
//   log::Info("bound", {{"pod", key}, {"node", node}});
namespace basalt::log {

enum class Level { kDebug, kInfo, kWarning, kError };
enum class Format { kText, kJson };

struct Field {
  template <class T>
  Field(std::string_view key, const T& what) : name(key), value(fmt::format("{}", what)) {}
  std::string_view name;
  std::string value;
};
using Fields = std::initializer_list<Field>;

// Before the first message, or never: text at level info.
void Configure(Level least, Format format);
bool Enabled(Level level);
void Write(Level level, std::string_view message, Fields fields);

inline void Debug(std::string_view message, Fields fields = {}) {
  if (Enabled(Level::kDebug)) Write(Level::kDebug, message, fields);
}
inline void Info(std::string_view message, Fields fields = {}) {
  Write(Level::kInfo, message, fields);
}
inline void Warning(std::string_view message, Fields fields = {}) {
  Write(Level::kWarning, message, fields);
}
inline void Error(std::string_view message, Fields fields = {}) {
  Write(Level::kError, message, fields);
}

}  // namespace basalt::log
