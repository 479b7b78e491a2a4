#include "apiserver/admission/match_condition.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/admission/webhook_review.h"
#include "base/ascii.h"

namespace basalt::apiserver {

struct MatchCondition::Node {
  enum class Kind { kLiteral, kName, kField, kIndex, kHas, kIn, kEqual, kNot, kAnd, kOr };
  Kind kind = Kind::kLiteral;
  json::value literal;  // kLiteral, also lists
  std::string name;     // kName, kField
  std::shared_ptr<const Node> left;
  std::shared_ptr<const Node> right;
};

namespace {

using Node = MatchCondition::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr int kDeepest = 100;
constexpr int kMostNodes = 2000;  // chains of && are as deep as they are long

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// By recursive descent; null: not understood.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePtr ParseAll() {
    NodePtr root = Or();
    SkipSpace();
    return at_ == text_.size() ? root : nullptr;
  }

 private:
  NodePtr Make(Node::Kind kind, NodePtr left, NodePtr right = nullptr, std::string name = "") {
    if (++nodes_ > kMostNodes) return nullptr;
    return std::make_shared<const Node>(
        Node{kind, nullptr, std::move(name), std::move(left), std::move(right)});
  }
  static NodePtr Literal(json::value value) {
    return std::make_shared<const Node>(
        Node{Node::Kind::kLiteral, std::move(value), "", nullptr, nullptr});
  }

  void SkipSpace() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool Take(std::string_view token) {
    SkipSpace();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string Word() {
    SkipSpace();
    const std::size_t from = at_;
    if (at_ < text_.size() && IsNameStart(text_[at_])) {
      while (at_ < text_.size() && (IsNameStart(text_[at_]) || IsDigit(text_[at_]))) ++at_;
    }
    return std::string(text_.substr(from, at_ - from));
  }
  bool TakeWord(std::string_view word) {
    const std::size_t before = at_;
    if (Word() == word) return true;
    at_ = before;
    return false;
  }

  NodePtr Or() {
    NodePtr left = And();
    while (left && Take("||")) {
      NodePtr right = And();
      if (!right) return nullptr;
      left = Make(Node::Kind::kOr, std::move(left), std::move(right));
    }
    return left;
  }

  NodePtr And() {
    NodePtr left = Relation();
    while (left && Take("&&")) {
      NodePtr right = Relation();
      if (!right) return nullptr;
      left = Make(Node::Kind::kAnd, std::move(left), std::move(right));
    }
    return left;
  }

  NodePtr Relation() {
    NodePtr left = Unary();
    if (!left) return nullptr;
    const bool equal = Take("==");
    const bool differs = !equal && Take("!=");
    const bool in = !equal && !differs && TakeWord("in");
    if (!equal && !differs && !in) return left;
    NodePtr right = Unary();
    if (!right) return nullptr;
    NodePtr made =
        Make(in ? Node::Kind::kIn : Node::Kind::kEqual, std::move(left), std::move(right));
    return differs && made ? Make(Node::Kind::kNot, std::move(made)) : made;
  }

  NodePtr Unary() {
    SkipSpace();
    if (text_.substr(at_).starts_with("!=")) return nullptr;
    if (!Take("!")) return Postfix();
    if (++depth_ > kDeepest) return nullptr;
    NodePtr inner = Unary();
    --depth_;
    return inner ? Make(Node::Kind::kNot, std::move(inner)) : nullptr;
  }

  NodePtr Postfix() {
    NodePtr node = Primary();
    while (node) {
      if (Take(".")) {
        std::string field = Word();
        if (field.empty() || Take("(")) return nullptr;  // a method
        node = Make(Node::Kind::kField, std::move(node), nullptr, std::move(field));
      } else if (Take("[")) {
        NodePtr index = Nested();
        if (!index || !Take("]")) return nullptr;
        node = Make(Node::Kind::kIndex, std::move(node), std::move(index));
      } else {
        return node;
      }
    }
    return node;
  }

  NodePtr Nested() {
    if (++depth_ > kDeepest) return nullptr;
    NodePtr inner = Or();
    --depth_;
    return inner;
  }

  NodePtr Primary() {
    SkipSpace();
    if (at_ == text_.size()) return nullptr;
    const char first = text_[at_];
    if (first == '"' || first == '\'') return String(first);
    if (IsDigit(first) || first == '-') return Integer();
    if (Take("(")) {
      NodePtr inner = Nested();
      return inner && Take(")") ? inner : nullptr;
    }
    if (Take("[")) return List();
    const std::string word = Word();
    if (word == "true" || word == "false") return Literal(word == "true");
    if (word == "null") return Literal(nullptr);
    if (word == "has") {
      if (!Take("(")) return nullptr;
      NodePtr field = Nested();
      if (!field || !Take(")") || field->kind != Node::Kind::kField) return nullptr;
      return Make(Node::Kind::kHas, std::move(field));
    }
    if (word != "object" && word != "oldObject" && word != "request") return nullptr;
    return Make(Node::Kind::kName, nullptr, nullptr, word);
  }

  NodePtr String(char quote) {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        ++at_;
        return Literal(json::string(value));
      }
      if (c == '\\') {
        if (++at_ == text_.size()) return nullptr;
        c = text_[at_];
        if (c == 'n') {
          c = '\n';
        } else if (c == 't') {
          c = '\t';
        } else if (c != '\\' && c != '"' && c != '\'' && c != '/') {
          return nullptr;
        }
      }
      value += c;
    }
    return nullptr;
  }

  NodePtr Integer() {
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return nullptr;
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (text_[at_] == '.' || IsNameStart(text_[at_]))) return nullptr;
    return Literal(value);
  }

  NodePtr List() {
    json::array items;
    if (Take("]")) return Literal(std::move(items));
    while (true) {
      NodePtr item = Nested();
      if (!item || item->kind != Node::Kind::kLiteral) return nullptr;
      items.push_back(item->literal);
      if (Take("]")) return Literal(std::move(items));
      if (!Take(",")) return nullptr;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int nodes_ = 0;
};

// A value on the way: of the request, of the expression, or made here. Unset: an error.
struct Value {
  const json::value* value = nullptr;
  const json::object* object = nullptr;  // where the object has no json::value of its own
  std::optional<json::value> own;

  bool error() const { return value == nullptr && object == nullptr && !own; }
  const json::object* AsObject() const {
    if (object != nullptr) return object;
    return Get() != nullptr ? Get()->if_object() : nullptr;
  }
  const json::value* Get() const { return own ? &*own : value; }
  std::optional<bool> AsBool() const {
    const json::value* found = Get();
    return found != nullptr && found->is_bool() ? std::optional(found->get_bool()) : std::nullopt;
  }
};

Value Own(json::value value) { return {.own = std::move(value)}; }

class Evaluation {
 public:
  explicit Evaluation(const AdmissionRequest& request) : request_(request) {}

  Value Of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::kLiteral: return {.value = &node.literal};
      case Node::Kind::kName: return Named(node.name);
      case Node::Kind::kField: return Field(Of(*node.left), node.name);
      case Node::Kind::kIndex: return Indexed(Of(*node.left), Of(*node.right));
      case Node::Kind::kHas: {
        const Value holder = Of(*node.left->left);
        const json::object* object = holder.AsObject();
        if (object == nullptr) return {};
        return Own(object->contains(node.left->name));
      }
      case Node::Kind::kIn: return In(Of(*node.left), Of(*node.right));
      case Node::Kind::kEqual: return Equal(Of(*node.left), Of(*node.right));
      case Node::Kind::kNot: {
        const std::optional<bool> inner = Of(*node.left).AsBool();
        return inner ? Own(!*inner) : Value();
      }
      case Node::Kind::kAnd: return Both(node, false);
      case Node::Kind::kOr: return Both(node, true);
    }
    return {};
  }

 private:
  Value Named(const std::string& name) const {
    if (name == "object") {
      return request_.object.empty() ? Own(nullptr) : Value{.object = &request_.object};
    }
    if (name == "oldObject") {
      return request_.old_object ? Value{.object = &*request_.old_object} : Own(nullptr);
    }
    return Own(json::object{{"operation", OperationName(request_.operation)},
                            {"namespace", request_.ns},
                            {"name", request_.name},
                            {"subResource", request_.subresource},
                            {"dryRun", request_.dry_run},
                            {"userInfo", json::object{{"username", request_.user}}}});
  }

  static Value Field(const Value& holder, const std::string& name) {
    const json::object* object = holder.AsObject();
    const json::value* found = object != nullptr ? object->if_contains(name) : nullptr;
    if (found == nullptr) return {};
    // What was made here goes with its holder.
    return holder.own ? Own(*found) : Value{.value = found};
  }

  static Value Indexed(const Value& holder, const Value& index) {
    const json::value* key = index.Get();
    if (key == nullptr) return {};
    if (key->is_string()) return Field(holder, std::string(key->get_string()));
    const json::value* list = holder.Get();
    if (!key->is_int64() || list == nullptr || !list->is_array()) return {};
    const std::int64_t at = key->get_int64();
    const json::array& items = list->get_array();
    if (at < 0 || at >= static_cast<std::int64_t>(items.size())) return {};
    return Own(items[static_cast<std::size_t>(at)]);
  }

  static Value In(const Value& item, const Value& holder) {
    const json::value* wanted = item.Get();
    if (wanted == nullptr) return {};
    if (const json::object* object = holder.AsObject()) {
      if (!wanted->is_string()) return {};
      return Own(object->contains(std::string_view(wanted->get_string())));
    }
    const json::value* list = holder.Get();
    if (list == nullptr || !list->is_array()) return {};
    for (const json::value& each : list->get_array()) {
      if (each == *wanted) return Own(true);
    }
    return Own(false);
  }

  static Value Equal(const Value& left, const Value& right) {
    if (left.error() || right.error()) return {};
    if (left.AsObject() != nullptr && right.AsObject() != nullptr) {
      return Own(*left.AsObject() == *right.AsObject());
    }
    if (left.Get() == nullptr || right.Get() == nullptr) return Own(false);
    return Own(*left.Get() == *right.Get());
  }

  // The side that is `decisive` decides, whatever the other one is.
  Value Both(const Node& node, bool decisive) const {
    const std::optional<bool> left = Of(*node.left).AsBool();
    if (left == decisive) return Own(decisive);
    const std::optional<bool> right = Of(*node.right).AsBool();
    if (right == decisive) return Own(decisive);
    return left && right ? Own(!decisive) : Value();
  }

  const AdmissionRequest& request_;
};

}  // namespace

std::optional<MatchCondition> MatchCondition::Parse(std::string_view expression) {
  NodePtr root = Parser(expression).ParseAll();
  if (!root) return std::nullopt;
  return MatchCondition(std::move(root));
}

MatchCondition::Outcome MatchCondition::Evaluate(const AdmissionRequest& request) const {
  const std::optional<bool> result = Evaluation(request).Of(*root_).AsBool();
  if (!result) return Outcome::kError;
  return *result ? Outcome::kTrue : Outcome::kFalse;
}

}  // namespace basalt::apiserver
