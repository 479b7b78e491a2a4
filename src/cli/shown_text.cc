#include "cli/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iterator>
#include <span>

#include "apiserver/object/json_text.h"
#include "kube/types/utf8.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

struct CharacterRange {
  char32_t first;
  char32_t last;
};

// Control characters, line and paragraph breaks, marks of direction, and what is not seen at all.
constexpr CharacterRange kActedUpon[] = {{0x00, 0x1f},     {0x7f, 0x9f},      {0x200e, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};

constexpr CharacterRange kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                                    {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

constexpr CharacterRange kWithoutWidth[] = {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                            {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
                                            {0xfe20, 0xfe2f}};

bool IsOneOf(char32_t code, std::span<const CharacterRange> ranges) {
  return std::ranges::any_of(ranges, [code](const CharacterRange& range) {
    return code >= range.first && code <= range.last;
  });
}

struct Character {
  char32_t code;
  std::string_view bytes;
};

Character FirstCharacter(std::string_view text) {
  constexpr char32_t kReplacement = 0xfffd;
  const std::size_t length = kube::Utf8Length(text);
  if (length == 0) return {kReplacement, text.substr(0, 1)};
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 1) return {byte(0), text.substr(0, 1)};
  char32_t code = byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3fu);
  return {code, text.substr(0, length)};
}

template <class Visit>
void ForEachCharacter(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const Character character = FirstCharacter(text);
    visit(character);
    text.remove_prefix(character.bytes.size());
  }
}

void AppendEscape(std::string& out, char32_t code, Escapes escapes) {
  if (code > 0xffff && escapes == Escapes::kYaml) {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", static_cast<unsigned>(code));
  } else if (code > 0xffff) {  // as JSON has it: two halves
    code -= 0x10000;
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xd800 + (code >> 10),
                   0xdc00 + (code & 0x3ff));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(code));
  }
}

// `line_break` is what a break of lines becomes; "": it is acted upon like others.
std::string Shown(std::string_view text, std::string_view line_break,
                  Escapes escapes = Escapes::kJson) {
  std::string out;
  out.reserve(text.size());
  ForEachCharacter(text, [&](const Character& character) {
    const char32_t code = character.code;
    if (code == '\n' && !line_break.empty()) {
      out += line_break;
    } else if ((code == '\t' || code == '\r' || code == '\n') && !line_break.empty()) {
      out += ' ';
    } else if (IsOneOf(code, kActedUpon)) {
      AppendEscape(out, code, escapes);
    } else if (code == 0xfffd) {
      out += "\xef\xbf\xbd";
    } else {
      out += character.bytes;
    }
  });
  return out;
}

}  // namespace

std::string OneLine(std::string_view text) { return Shown(text, " "); }

std::string IndentedLines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return Shown(text, "\n  ");
}

json::value ForPeople(const json::value& value) {
  if (const json::string* text = value.if_string()) return json::value(OneLine(*text));
  if (const json::array* items = value.if_array()) {
    json::array out;
    out.reserve(items->size());
    for (const json::value& item : *items) out.push_back(ForPeople(item));
    return out;
  }
  if (const json::object* object = value.if_object()) {
    json::object out;
    out.reserve(object->size());
    for (const auto& [key, item] : *object) out.emplace(OneLine(key), ForPeople(item));
    return out;
  }
  return value;
}

std::string JsonText(const json::value& value, Escapes escapes) {
  return Shown(apiserver::ToText(value), "", escapes);
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  ForEachCharacter(text, [&](const Character& character) {
    if (IsOneOf(character.code, kWithoutWidth)) return;
    width += IsOneOf(character.code, kWide) ? 2 : 1;
  });
  return width;
}

}  // namespace basalt::cli
