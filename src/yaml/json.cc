#include "yaml/json.h"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <boost/json/parse.hpp>
#include <boost/json/stream_parser.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>

namespace basalt {
namespace {

namespace json = boost::json;

// Far above any manifest; below what an alias bomb needs to hurt.
constexpr std::size_t kMostNodes = 2'000'000;
constexpr int kMostDepth = 100;

struct ConversionError {
  int line;
  std::string message;
};

int LineOf(const YAML::Node& node) { return node.Mark().line + 1; }

bool AllDigits(std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// [-+]? digits in `base`; what does not fit 64 bits becomes a double, as JSON readers do.
json::value Integer(std::string_view digits, int base, bool negative) {
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (error == std::errc::result_out_of_range) {
    double value = 0;
    for (const char c : digits) {
      const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
      value = value * base + digit;
    }
    return negative ? -value : value;
  }
  constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63;
  if (!negative) {
    if (magnitude < kMostNegative) return static_cast<std::int64_t>(magnitude);
    return magnitude;
  }
  if (magnitude <= kMostNegative) return static_cast<std::int64_t>(0 - magnitude);
  return -static_cast<double>(magnitude);
}

std::optional<json::value> ParseInteger(std::string_view text) {
  bool negative = false;
  std::string_view digits = text;
  if (digits.starts_with('-') || digits.starts_with('+')) {
    negative = digits.front() == '-';
    digits.remove_prefix(1);
  }
  if (digits.starts_with("0x") && AllDigits(digits.substr(2), "0123456789abcdefABCDEF")) {
    return Integer(digits.substr(2), 16, negative);
  }
  if (digits.starts_with("0o") && AllDigits(digits.substr(2), "01234567")) {
    return Integer(digits.substr(2), 8, negative);
  }
  if (digits.size() > 1 && digits.front() == '0' && AllDigits(digits, "01234567")) {
    return Integer(digits, 8, negative);
  }
  if (AllDigits(digits, "0123456789")) return Integer(digits, 10, negative);
  return std::nullopt;
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool LooksLikeFloat(std::string_view text) {
  std::size_t i = 0;
  const auto skip_digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  const std::size_t whole = skip_digits();
  std::size_t fraction = 0;
  if (i < text.size() && text[i] == '.') {
    ++i;
    fraction = skip_digits();
  }
  if (whole + fraction == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (skip_digits() == 0) return false;
  }
  return i == text.size();
}

bool IsInfinityOrNan(std::string_view text) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text == ".inf" || text == ".Inf" || text == ".INF";
}

class Converter {
 public:
  json::value Convert(const YAML::Node& node, int depth = 0) {
    if (++nodes_ > kMostNodes) Refuse(node, "the document is too large once aliases are resolved");
    if (depth > kMostDepth) Refuse(node, "the document is nested too deeply");
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null: return nullptr;
      case YAML::NodeType::Scalar: return Scalar(node);
      case YAML::NodeType::Sequence: {
        json::array array;
        for (const YAML::Node& item : node) array.push_back(Convert(item, depth + 1));
        return array;
      }
      case YAML::NodeType::Map: return Map(node, depth);
    }
    return nullptr;
  }

 private:
  [[noreturn]] static void Refuse(const YAML::Node& node, std::string message) {
    throw ConversionError{LineOf(node), std::move(message)};
  }

  static json::value Scalar(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    const std::string& tag = node.Tag();
    // yaml-cpp: "!" for a quoted or block scalar, "?" (or nothing) for a plain one.
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return json::string(text);
    if (tag.empty() || tag == "?") return Plain(node, text);
    for (const std::string_view core : {"null", "bool", "int", "float"}) {
      if (tag == fmt::format("tag:yaml.org,2002:{}", core)) return Plain(node, text);
    }
    Refuse(node, fmt::format("the tag {} is not supported", tag));
  }

  static json::value Plain(const YAML::Node& node, const std::string& text) {
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
      return nullptr;
    }
    if (text == "true" || text == "True" || text == "TRUE") return true;
    if (text == "false" || text == "False" || text == "FALSE") return false;
    if (auto integer = ParseInteger(text)) return *integer;
    if (LooksLikeFloat(text)) {
      double value = 0;
      const std::size_t plus = text.starts_with('+') ? 1 : 0;
      std::from_chars(text.data() + plus, text.data() + text.size(), value);
      if (!std::isfinite(value)) Refuse(node, fmt::format("{} is not a number in JSON", text));
      return value;
    }
    if (IsInfinityOrNan(text)) Refuse(node, fmt::format("{} is not a number in JSON", text));
    return json::string(text);
  }

  static std::string Key(const YAML::Node& key) {
    if (!key.IsScalar()) Refuse(key, "a key must be a plain or quoted scalar");
    return key.Scalar();
  }

  static bool IsMergeKey(const YAML::Node& key) {
    return key.IsScalar() && key.Scalar() == "<<" && (key.Tag().empty() || key.Tag() == "?");
  }

  json::value Map(const YAML::Node& node, int depth) {
    json::object object;
    for (const auto& entry : node) {
      const YAML::Node& key = entry.first;
      if (IsMergeKey(key)) continue;
      const std::string name = Key(key);
      if (object.contains(name)) Refuse(key, fmt::format("key \"{}\" is given twice", name));
      object.emplace(name, Convert(entry.second, depth + 1));
    }
    // A merged key never replaces one that stands in the map itself; earlier merges win.
    for (const auto& entry : node) {
      const YAML::Node& value = entry.second;
      if (!IsMergeKey(entry.first)) continue;
      if (value.IsSequence()) {
        for (const YAML::Node& source : value) Merge(source, object, depth);
      } else {
        Merge(value, object, depth);
      }
    }
    return object;
  }

  void Merge(const YAML::Node& source, json::object& into, int depth) {
    if (!source.IsMap()) Refuse(source, "a merge key (<<) needs a map");
    json::value merged = Convert(source, depth + 1);
    for (auto& member : merged.as_object()) {
      if (!into.contains(member.key())) into.emplace(member.key(), std::move(member.value()));
    }
  }

  std::size_t nodes_ = 0;
};

std::unexpected<Error> Refused(int document, int line, std::string_view message) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("document {}, line {}: {}", document, line, message));
}

// Values one after the other, separated by white space. Nothing when the text is not JSON.
std::optional<std::vector<YamlDocument>> TryJson(std::string_view text) {
  std::vector<YamlDocument> documents;
  int line = 1;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && std::string_view(" \t\r\n").contains(text[at])) {
      line += text[at] == '\n' ? 1 : 0;
      ++at;
    }
    if (at == text.size()) return documents;
    json::stream_parser parser({}, {.max_depth = kMostDepth});
    boost::system::error_code error;
    const std::size_t used = parser.write_some(text.data() + at, text.size() - at, error);
    if (!error && !parser.done()) parser.finish(error);
    if (error) return std::nullopt;
    documents.push_back({static_cast<int>(documents.size()) + 1, line, parser.release()});
    for (std::size_t i = at; i < at + used; ++i) line += text[i] == '\n' ? 1 : 0;
    at += used;
  }
}

// The length of the well-formed UTF-8 character at the start of `text`; 0: there is none.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  const unsigned char second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return length;
}

// YAML's own rule, checked before the parser sees the text: on some of what it forbids yaml-cpp
// never comes to an end. The line of the first offence; 0: there is none.
int LineOfForbiddenCharacter(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const unsigned char first = static_cast<unsigned char>(text[0]);
    const bool control =
        (first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7f;
    if (length == 0 || control) return line;
    line += first == '\n' ? 1 : 0;
    text.remove_prefix(length);
  }
  return 0;
}

// Looks at where documents begin and at nothing else.
class DocumentStarts final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { start = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  YAML::Mark start;
};

// On a comma out of place, and the like, yaml-cpp makes empty documents for ever without moving on.
void RefuseStandstill(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  int last = -1;
  while (parser.HandleNextDocument(starts)) {
    if (starts.start.pos == last) throw YAML::ParserException(starts.start, "unexpected character");
    last = starts.start.pos;
  }
}

// Where the documents begin, for errors of the parser, which only knows lines.
int DocumentAtLine(std::string_view text, int line) {
  int document = 1;
  bool content = false;
  for (int at = 1; at < line && !text.empty(); ++at) {
    const std::size_t end = text.find('\n');
    const std::string_view row = text.substr(0, end);
    if (row == "---" || row.starts_with("--- ") || row == "---\r") {
      document += content ? 1 : 0;
      content = true;
    } else if (row.find_first_not_of(" \t\r") != std::string_view::npos && row.front() != '#') {
      content = true;
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return document;
}

}  // namespace

Result<std::vector<YamlDocument>> ParseYaml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) {
    if (auto documents = TryJson(text)) return std::move(*documents);
  }
  if (const int line = LineOfForbiddenCharacter(text); line != 0) {
    return Refused(DocumentAtLine(text, line), line,
                   "not UTF-8, or a control character, which YAML does not allow");
  }
  std::vector<YAML::Node> nodes;
  try {
    RefuseStandstill(std::string(text));
    nodes = YAML::LoadAll(std::string(text));
  } catch (const YAML::Exception& e) {
    const int line = e.mark.line + 1;
    return Refused(DocumentAtLine(text, line), line, e.msg);
  }
  std::vector<YamlDocument> documents;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    if (!nodes[i].IsDefined() || nodes[i].IsNull()) continue;
    try {
      documents.push_back({number, LineOf(nodes[i]), Converter().Convert(nodes[i])});
    } catch (const ConversionError& e) {
      return Refused(number, e.line, e.message);
    } catch (const YAML::Exception& e) {
      return Refused(number, e.mark.line + 1, e.msg);
    }
  }
  return documents;
}

}  // namespace basalt
