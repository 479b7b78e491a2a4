#include "apiserver/rest/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "apiserver/object/utf8.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostWarningBytes = 4096;
constexpr std::size_t kMostBytesEach = 256;  // once it is too much altogether

std::string OneLine(std::string_view text) {
  std::string line = ValidUtf8(text);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return line;
}

// At most so many bytes, and no half character.
std::string_view Cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

std::string QuotedString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::vector<std::string> WarningHeaders(const std::vector<std::string>& warnings) {
  std::vector<std::string> texts;
  std::set<std::string> said;
  std::size_t total = 0;
  for (const std::string& warning : warnings) {
    std::string line = OneLine(warning);
    if (line.empty() || !said.insert(line).second) continue;
    total += line.size();
    texts.push_back(std::move(line));
  }
  const std::size_t each = total > kMostWarningBytes ? kMostBytesEach : total;
  std::vector<std::string> headers;
  std::size_t sent = 0;
  for (const std::string& text : texts) {
    const std::string_view cut = Cut(text, each);
    if (sent + cut.size() > kMostWarningBytes) break;
    sent += cut.size();
    headers.push_back(fmt::format("299 - {}", QuotedString(cut)));
  }
  return headers;
}

}  // namespace basalt::apiserver
