
#include <algorithm>
#include <charconv>

#include "apiserver/admission/webhook.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"

namespace basalt::apiserver {

// What an expression comes to: a part of the request or of the expression, or made on the way.
// Neither: an error.
struct MatchCondition::Value {
  const json::value* at = nullptr;
  const json::object* object = nullptr;     // instead of it, of what is no json::value
  std::shared_ptr<const json::value> made;  // keeps what `at` is in
  bool missing = false;                     // the error is that a field is not there

  const json::object* Object() const {
    return object != nullptr || at == nullptr ? object : at->if_object();
  }
  std::optional<bool> Bool() const {
    return at != nullptr && at->is_bool() ? std::optional(at->get_bool()) : std::nullopt;
  }
};

namespace {

using Value = MatchCondition::Value;
using Expression = MatchCondition::Expression;

constexpr int kDeepest = 100;
constexpr int kMostNodes = 2000;  // chains of && are as deep as they are long

Value Made(json::value value) {
  auto made = std::make_shared<const json::value>(std::move(value));
  return {.at = made.get(), .made = made};
}

Value Field(const Value& holder, std::string_view name) {
  const json::object* object = holder.Object();
  if (object == nullptr) return {};
  const json::value* found = object->if_contains(name);
  return {.at = found, .made = holder.made, .missing = found == nullptr};
}

Value Indexed(const Value& holder, const Value& index) {
  if (index.at == nullptr) return {};
  if (index.at->is_string()) return Field(holder, index.at->get_string());
  const json::array* list = holder.at == nullptr ? nullptr : holder.at->if_array();
  if (!index.at->is_int64() || list == nullptr || index.at->get_int64() < 0) return {};
  const auto at = static_cast<std::size_t>(index.at->get_int64());
  if (at >= list->size()) return {};
  return {.at = &(*list)[at], .made = holder.made};
}

Value In(const Value& item, const Value& holder) {
  if (item.at == nullptr) return {};
  if (const json::object* object = holder.Object()) {
    return item.at->is_string() ? Made(object->contains(AsText(*item.at))) : Value();
  }
  const json::array* list = holder.at == nullptr ? nullptr : holder.at->if_array();
  if (list == nullptr) return {};
  return Made(std::ranges::find(*list, *item.at) != list->end());
}

Value Equal(const Value& left, const Value& right) {
  const json::object* a = left.Object();
  const json::object* b = right.Object();
  if (a != nullptr && b != nullptr) return Made(*a == *b);
  if ((left.at == nullptr && a == nullptr) || (right.at == nullptr && b == nullptr)) return {};
  return Made(left.at != nullptr && right.at != nullptr && *left.at == *right.at);
}

Value Not(const Value& inner) { return inner.Bool() ? Made(!*inner.Bool()) : Value(); }

Value Named(std::string_view name, const AdmissionRequest& request) {
  if (name == "object" && !request.object.empty()) return {.object = &request.object};
  if (name == "oldObject" && request.old_object) return {.object = &*request.old_object};
  if (name != "request") return Made(nullptr);
  return Made({{"operation", OperationName(request.operation)},
               {"namespace", request.ns},
               {"name", request.name},
               {"subResource", request.subresource},
               {"dryRun", request.dry_run},
               {"userInfo", {{"username", request.user}}}});
}

bool IsNameStart(char c) { return (ToLower(c) >= 'a' && ToLower(c) <= 'z') || c == '_'; }

// By recursive descent; an empty expression: not understood.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expression ParseAll() {
    Expression root = Or();
    SkipSpace();
    return text_.empty() ? std::move(root) : Expression();
  }

 private:
  void SkipSpace() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \n\t\r"), text_.size()));
  }
  bool Take(std::string_view token) {
    SkipSpace();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  std::string Word() {
    SkipSpace();
    std::size_t size = 0;
    while (size < text_.size() &&
           (IsNameStart(text_[size]) || (size > 0 && IsDigit(text_[size])))) {
      ++size;
    }
    const std::string word(text_.substr(0, size));
    text_.remove_prefix(size);
    return word;
  }

  // `combine` of one or two expressions, where there are these and not too many before them.
  template <class Combine, class... Parts>
  Expression Make(Combine combine, Parts... parts) {
    if (++nodes_ > kMostNodes || !(static_cast<bool>(parts) && ...)) return {};
    return [combine, ... parts = std::move(parts)](const AdmissionRequest& request) {
      return combine(parts(request)...);
    };
  }

  // The side that is `decisive` decides, whatever the other one is.
  Expression Chain(Expression (Parser::*part)(), std::string_view token, bool decisive) {
    Expression left = (this->*part)();
    while (left && Take(token)) {
      Expression right = (this->*part)();
      left = Make(
          [decisive](const Value& a, const Value& b) {
            if (a.Bool() == decisive || b.Bool() == decisive) return Made(decisive);
            return a.Bool() && b.Bool() ? Made(!decisive) : Value();
          },
          std::move(left), std::move(right));
    }
    return left;
  }
  Expression Or() { return Chain(&Parser::And, "||", true); }
  Expression And() { return Chain(&Parser::Relation, "&&", false); }

  Expression Relation() {
    Expression left = Unary();
    if (!left) return {};
    if (Take("==")) return Make(Equal, std::move(left), Unary());
    if (Take("!=")) return Make(Not, Make(Equal, std::move(left), Unary()));
    const std::string_view before = text_;
    if (Word() == "in") return Make(In, std::move(left), Unary());
    text_ = before;
    return left;
  }

  Expression Unary() {
    SkipSpace();
    if (text_.starts_with("!=") || !Take("!")) return Postfix();
    return Make(Not, Nested(&Parser::Unary));
  }

  Expression Postfix() {
    Expression node = Primary();
    ends_with_field_ = false;
    while (node) {
      if (Take(".")) {
        const std::string name = Word();
        if (name.empty() || Take("(")) return {};  // a method
        node = Make([name](const Value& holder) { return Field(holder, name); }, std::move(node));
        ends_with_field_ = true;
      } else if (Take("[")) {
        node = Make(Indexed, std::move(node), Nested(&Parser::Or));
        if (!Take("]")) return {};
        ends_with_field_ = false;
      } else {
        break;
      }
    }
    return node;
  }

  Expression Nested(Expression (Parser::*part)()) {
    if (++depth_ > kDeepest) return {};
    Expression inner = (this->*part)();
    --depth_;
    return inner;
  }

  Expression Primary() {
    if (Take("(")) {
      Expression inner = Nested(&Parser::Or);
      return Take(")") ? std::move(inner) : Expression();
    }
    const std::string_view before = text_;
    const std::string word = Word();
    if (word == "has" && Take("(")) {
      Expression field = Nested(&Parser::Postfix);
      if (!Take(")") || !ends_with_field_) return {};
      return Make([](const Value& of) { return of.at || of.missing ? Made(!of.missing) : Value(); },
                  std::move(field));
    }
    if (word == "object" || word == "oldObject" || word == "request") {
      return [word](const AdmissionRequest& request) { return Named(word, request); };
    }
    text_ = before;
    std::optional<json::value> literal = Literal();
    if (!literal) return {};
    return [value = Made(std::move(*literal))](const AdmissionRequest&) { return value; };
  }

  // Also a list of such.
  std::optional<json::value> Literal() {
    if (Take("[")) return List();
    SkipSpace();
    if (text_.empty()) return std::nullopt;
    if (text_[0] == '"' || text_[0] == '\'') return String();
    if (IsDigit(text_[0]) || text_[0] == '-') return Integer();
    const std::string word = Word();
    if (word == "true" || word == "false") return json::value(word == "true");
    return word == "null" ? std::optional(json::value()) : std::nullopt;
  }

  std::optional<json::value> String() {
    std::string value;
    for (std::size_t i = 1; i < text_.size(); ++i) {
      char c = text_[i];
      if (c == text_[0]) {
        text_.remove_prefix(i + 1);
        return json::value(value);
      }
      if (c == '\\') {
        if (++i == text_.size()) break;
        constexpr std::string_view kEscapes = "n\nt\t\\\\\"\"''//";
        std::size_t at = 0;
        while (at < kEscapes.size() && kEscapes[at] != text_[i]) at += 2;
        if (at >= kEscapes.size()) break;
        c = kEscapes[at + 1];
      }
      value += c;
    }
    return std::nullopt;
  }

  std::optional<json::value> Integer() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    if (error != std::errc() || text_.starts_with('.')) return std::nullopt;
    return !text_.empty() && IsNameStart(text_[0]) ? std::nullopt : std::optional(value);
  }

  std::optional<json::value> List() {
    json::array items;
    if (++depth_ > kDeepest) return std::nullopt;
    while (!Take("]")) {
      if (!items.empty() && !Take(",")) return std::nullopt;
      std::optional<json::value> item = Literal();
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    }
    --depth_;
    return items;
  }

  std::string_view text_;
  int depth_ = 0;
  int nodes_ = 0;
  bool ends_with_field_ = false;  // what Postfix has just read
};

}  // namespace

std::optional<MatchCondition> MatchCondition::Parse(std::string_view expression) {
  Expression root = Parser(expression).ParseAll();
  return root ? std::optional(MatchCondition(std::move(root))) : std::nullopt;
}

MatchCondition::Outcome MatchCondition::Evaluate(const AdmissionRequest& request) const {
  const std::optional<bool> result = (*root_)(request).Bool();
  return !result ? Outcome::kError : *result ? Outcome::kTrue : Outcome::kFalse;
}

}  // namespace basalt::apiserver
