#include "apiserver/object/go_json_error.h"

#include <fmt/format.h>

#include <vector>

#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::string ShowChar(char c) {
  if (c == '\'') return R"('\'')";
  if (c == '"') return R"('"')";
  const unsigned char byte = static_cast<unsigned char>(c);
  switch (c) {
    case '\n': return R"('\n')";
    case '\r': return R"('\r')";
    case '\t': return R"('\t')";
    case '\\': return R"('\\')";
    default: break;
  }
  if (byte < 0x20) return fmt::format(R"('\x{:02x}')", byte);
  if (byte == 0x7f) return R"('\x7f')";
  if (byte < 0x80) return fmt::format("'{}'", c);
  // Go shows the byte as the rune of that number.
  std::string utf8;
  utf8 += static_cast<char>(0xc0 | (byte >> 6));
  utf8 += static_cast<char>(0x80 | (byte & 0x3f));
  return byte < 0xa0 ? fmt::format(R"('\u{:04x}')", byte) : "'" + utf8 + "'";
}

// Walks the text as Go's scanner does and stops at the first byte that it would not take.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // Empty: the text is JSON.
  std::string Run() {
    if (Value() && SkipSpaceTo("after top-level value")) return {};
    return error_;
  }

 private:
  bool Bad(std::string_view where) {
    error_ = at_ < text_.size()
                 ? fmt::format("invalid character {} {}", ShowChar(text_[at_]), where)
                 : "unexpected end of JSON input";
    return false;
  }
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  bool SkipSpaceTo(std::string_view where) {
    SkipSpace();
    return at_ == text_.size() || Bad(where);
  }
  bool Peek(char c) const { return at_ < text_.size() && text_[at_] == c; }

  // No recursion: a hostile text may nest as deep as it likes.
  bool Value() {
    std::vector<char> open;
    while (true) {
      SkipSpace();
      if (Peek('{')) {
        ++at_;
        SkipSpace();
        if (!Peek('}')) {
          open.push_back('{');
          if (!Key()) return false;
          continue;
        }
        ++at_;
      } else if (Peek('[')) {
        ++at_;
        SkipSpace();
        if (!Peek(']')) {
          open.push_back('[');
          continue;
        }
        ++at_;
      } else if (!Scalar()) {
        return false;
      }
      while (true) {  // a value has ended
        if (open.empty()) return true;
        SkipSpace();
        const bool object = open.back() == '{';
        if (Peek(',')) {
          ++at_;
          if (object) {
            SkipSpace();
            if (!Key()) return false;
          }
          break;
        }
        if (!Peek(object ? '}' : ']')) {
          return Bad(object ? "after object key:value pair" : "after array element");
        }
        ++at_;
        open.pop_back();
      }
    }
  }

  bool Key() {
    if (!Peek('"')) return Bad("looking for beginning of object key string");
    if (!String()) return false;
    SkipSpace();
    if (!Peek(':')) return Bad("after object key");
    ++at_;
    return true;
  }

  bool Scalar() {
    if (at_ >= text_.size()) return Bad("");
    switch (text_[at_]) {
      case '"': return String();
      case 't': return Literal("true");
      case 'f': return Literal("false");
      case 'n': return Literal("null");
      default: return Number();
    }
  }

  bool Literal(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i, ++at_) {
      if (!Peek(word[i])) return Bad(fmt::format("in literal {} (expecting '{}')", word, word[i]));
    }
    return true;
  }

  bool String() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return Bad("in string literal");
      if (c != '\\') continue;
      ++at_;
      if (at_ >= text_.size()) return Bad("");
      if (text_[at_] == 'u') {
        for (int i = 0; i < 4; ++i) {
          ++at_;
          if (at_ >= text_.size()) return Bad("");
          if (!IsHex(text_[at_])) return Bad("in \\u hexadecimal character escape");
        }
      } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return Bad("in string escape code");
      }
    }
    return Bad("");
  }

  bool Digits(std::string_view where) {
    if (at_ >= text_.size() || !IsDigit(text_[at_])) return Bad(where);
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return true;
  }

  bool Number() {
    const bool negative = Peek('-');
    if (negative) ++at_;
    if (Peek('0')) {
      ++at_;
    } else if (!Digits(negative ? "in numeric literal" : "looking for beginning of value")) {
      return false;
    }
    if (Peek('.')) {
      ++at_;
      if (!Digits("after decimal point in numeric literal")) return false;
    }
    if (Peek('e') || Peek('E')) {
      ++at_;
      if (Peek('+') || Peek('-')) ++at_;
      if (!Digits("in exponent of numeric literal")) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::string GoJsonError(std::string_view text) {
  std::string error = Scanner(text).Run();
  return error.empty() ? "exceeded max depth" : error;
}

}  // namespace basalt::apiserver
