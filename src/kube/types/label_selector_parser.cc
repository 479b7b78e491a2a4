#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "kube/types/names.h"
#include "kube/types/selector.h"

// The grammar of label selectors in a query. Its oddities ("a in (,x)" has the value "", an
// operator is a word only where one is expected) and its messages are Kubernetes'.
namespace basalt::kube {
namespace {

using Operator = LabelRequirement::Operator;

constexpr std::string_view kSymbols = "=!(),<>";

enum class TokenKind { kEnd, kWord, kComma, kOpen, kClose, kOperator, kBang, kBroken };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;

  bool IsInOrNotIn() const { return kind == TokenKind::kWord && (text == "in" || text == "notin"); }
};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

TokenKind KindOfSymbol(std::string_view symbol) {
  if (symbol == ",") return TokenKind::kComma;
  if (symbol == "(") return TokenKind::kOpen;
  if (symbol == ")") return TokenKind::kClose;
  if (symbol == "!") return TokenKind::kBang;
  if (symbol == "=" || symbol == "==" || symbol == "!=" || symbol == "<" || symbol == ">") {
    return TokenKind::kOperator;
  }
  return TokenKind::kBroken;
}

// Takes the next token from the front of `rest`. A zero byte ends the text, as in Kubernetes.
Token NextToken(std::string_view& rest) {
  while (!rest.empty() && IsSpace(rest[0])) rest.remove_prefix(1);
  if (rest.empty() || rest[0] == '\0') {
    rest = {};
    return {};
  }
  const bool symbol = kSymbols.contains(rest[0]);
  std::size_t length = 1;
  if (symbol) {
    // The longest run of symbols that is a token.
    if (length < rest.size() && KindOfSymbol(rest.substr(0, 2)) != TokenKind::kBroken) length = 2;
  } else {
    while (length < rest.size() && rest[length] != '\0' && !kSymbols.contains(rest[length]) &&
           !IsSpace(rest[length])) {
      ++length;
    }
  }
  const std::string_view text = rest.substr(0, length);
  rest.remove_prefix(length);
  return {symbol ? KindOfSymbol(text) : TokenKind::kWord, std::string(text)};
}

class Parser {
 public:
  explicit Parser(std::string_view text) {
    do {
      tokens_.push_back(NextToken(text));
    } while (tokens_.back().kind != TokenKind::kEnd);
  }

  Result<std::vector<LabelRequirement>> Run() {
    std::vector<LabelRequirement> requirements;
    while (true) {
      const Token& first = Peek();
      if (first.kind == TokenKind::kEnd) return requirements;
      if (first.kind != TokenKind::kWord && first.kind != TokenKind::kBang) {
        return Found(first, ", expected: !, identifier, or 'end of string'");
      }
      Result<LabelRequirement> requirement = Requirement();
      if (!requirement) {
        return Fail(ErrorCode::kInvalidArgument,
                    "unable to parse requirement: " + requirement.error().message);
      }
      requirements.push_back(*std::move(requirement));
      const Token after = Take();
      if (after.kind == TokenKind::kEnd) return requirements;
      if (after.kind != TokenKind::kComma) {
        return Found(after, ", expected: ',' or 'end of string'");
      }
      if (Peek().kind != TokenKind::kWord && Peek().kind != TokenKind::kBang) {
        return Found(Peek(), ", expected: identifier after ','");
      }
    }
  }

 private:
  const Token& Peek() const { return tokens_[at_]; }
  // The end may be taken any number of times.
  Token Take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }

  static std::unexpected<Error> Found(const Token& token, std::string_view expected) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("found '{}'{}", token.text, expected));
  }

  Result<LabelRequirement> Requirement() {
    LabelRequirement requirement;
    Token key = Take();
    const bool absent = key.kind == TokenKind::kBang;
    if (absent) key = Take();
    if (key.kind != TokenKind::kWord) return Found(key, ", expected: identifier");
    requirement.key = key.text;
    if (const auto wrong = LabelKeyProblems(key.text); !wrong.empty()) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("<nil>: Invalid value: \"{}\": {}",
                                                           key.text, fmt::join(wrong, "; ")));
    }
    const bool alone = Peek().kind == TokenKind::kEnd || Peek().kind == TokenKind::kComma;
    if (absent || alone) {
      requirement.op = absent ? Operator::kDoesNotExist : Operator::kExists;
    } else if (Result<void> rest = OperatorAndValues(requirement); !rest) {
      return std::unexpected(rest.error());
    }
    if (Result<void> valid = Validate(requirement); !valid) return std::unexpected(valid.error());
    return requirement;
  }

  Result<void> OperatorAndValues(LabelRequirement& requirement) {
    const Token op = Take();
    if (op.IsInOrNotIn()) {
      requirement.op = op.text == "in" ? Operator::kIn : Operator::kNotIn;
      return Set(requirement.values);
    }
    if (op.kind != TokenKind::kOperator)
      return Found(op, ", expected: in, notin, =, ==, !=, gt, lt");
    if (op.text == "!=") {
      requirement.op = Operator::kNotEquals;
    } else if (op.text == ">") {
      requirement.op = Operator::kGreater;
    } else if (op.text == "<") {
      requirement.op = Operator::kLess;
    }
    if (Peek().kind == TokenKind::kEnd || Peek().kind == TokenKind::kComma) {
      requirement.values = {""};
      return {};
    }
    const Token value = Take();
    if (value.kind != TokenKind::kWord) return Found(value, ", expected: identifier");
    requirement.values = {value.text};
    return {};
  }

  // "(x,y)". An empty place between commas or parentheses is the value "".
  Result<void> Set(std::vector<std::string>& values) {
    const Token open = Take();
    if (open.kind != TokenKind::kOpen) return Found(open, " expected: '('");
    const Token& first = Peek();
    if (first.kind != TokenKind::kWord && first.kind != TokenKind::kComma &&
        first.kind != TokenKind::kClose) {
      return Found(first, ", expected: ',', ')' or identifier");
    }
    std::set<std::string> found;
    bool place_filled = false;
    while (true) {
      const Token token = Take();
      if (token.kind == TokenKind::kWord) {
        found.insert(token.text);
        place_filled = true;
        if (Peek().kind != TokenKind::kComma && Peek().kind != TokenKind::kClose) {
          return Found(Peek(), ", expected: ',' or ')'");
        }
      } else if (token.kind == TokenKind::kComma || token.kind == TokenKind::kClose) {
        if (!place_filled) found.insert("");
        place_filled = false;
        if (token.kind == TokenKind::kClose) break;
      } else {
        return Found(token, ", expected: ',', or identifier");
      }
    }
    values.assign(found.begin(), found.end());
    return {};
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

Result<LabelSelector> LabelSelector::Parse(std::string_view text) {
  Result<std::vector<LabelRequirement>> requirements = Parser(text).Run();
  if (!requirements) return std::unexpected(requirements.error());
  return LabelSelector(*std::move(requirements));
}

}  // namespace basalt::kube
