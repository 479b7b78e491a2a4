"""Where a C++ source may be changed, and the source with all the changes in it, each behind a switch.

A change never moves a line: what the compiler says about line 17 is about line 17. `Mutated(n)` is true
in a process whose BASALT_MUTANT is n (see SWITCH). How operands stay as they are: `a < b` becomes
`a < LessOrNot<n>{} < b`, which has the operands of the original whatever they look like.
"""

import dataclasses
import re

# Compiled into each changed file. Notes which switches a run came by, for BASALT_MUTANTS_REACHED.
SWITCH_HEADER = """#pragma once
#include <utility>
namespace mutants {
extern int active;
extern unsigned char reached[100000];
inline bool Mutated(int n) { reached[n] = 1; return active == n; }
template <int n> struct Tag {};
template <int n, class T> struct Held { const T& left; };
#define MUTANTS_COMPARISON(OP, OTHER)                                                             \\
  template <int n, class T> Held<n, T> operator OP(const T& left, Tag<n>) { return {left}; }     \\
  template <int n, class T, class U> bool operator OP(Held<n, T> held, const U& right) {          \\
    return Mutated(n) ? static_cast<bool>(held.left OTHER right)                                  \\
                      : static_cast<bool>(held.left OP right);                                    \\
  }
MUTANTS_COMPARISON(<, <=)
MUTANTS_COMPARISON(<=, <)
MUTANTS_COMPARISON(>, >=)
MUTANTS_COMPARISON(>=, >)
MUTANTS_COMPARISON(==, !=)
MUTANTS_COMPARISON(!=, ==)
template <class Right> bool And(int n, bool left, Right right) {
  return Mutated(n) ? left || right() : left && right();
}
template <class Right> bool Or(int n, bool left, Right right) {
  return Mutated(n) ? left && right() : left || right();
}
}  // namespace mutants
"""

SWITCH = """#include "mutants.h"
#include <cstdio>
#include <cstdlib>
namespace mutants {
int active = -1;
unsigned char reached[100000];
namespace {
__attribute__((constructor(101))) void Read() {
  if (const char* n = std::getenv("BASALT_MUTANT")) active = std::atoi(n);
}
__attribute__((destructor(101))) void Tell() {
  const char* path = std::getenv("BASALT_MUTANTS_REACHED");
  if (!path) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    for (int n = 0; n < 100000; ++n) {
      if (reached[n]) std::fprintf(file, "%d\\n", n);
    }
    std::fclose(file);
  }
}
}  // namespace
}  // namespace mutants
"""

TOKEN = re.compile(
    r'(?P<space>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.)*)'
    r'|(?P<text>R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<name>[A-Za-z_]\w*)|(?P<number>\d[\w.']*)"
    r"|(?P<sign><=>|->\*|<<=|>>=|\.\.\.|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|.)", re.DOTALL | re.MULTILINE)
PAIRS = {"(": ")", "[": "]", "{": "}"}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
# Words that no call begins with, and calls that only make a program quicker or stop one that is wrong.
NOT_CALLED = {"return", "co_return", "delete", "throw", "using", "static_assert", "if", "for", "while",
              "switch", "case", "default", "else", "do", "new", "const", "constexpr", "auto", "template",
              "BASALT_CHECK", "goto", "typedef", "namespace", "friend"}
ONLY_SPEED = {"reserve", "shrink_to_fit"}
ENDS_OPERAND = {"?", ":", ",", ";", "=", "+=", "-=", "|=", "&=", "return", "co_return", "(", "[", "{",
                "}", ")", "]", "else", "case"}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    mate: int = -1  # the index of its other bracket


@dataclasses.dataclass
class Change:
    """One place and what happens there. `pieces` are (position, end, text): text replaces that range."""
    line: int
    start: int
    end: int
    pieces: list
    said: str  # "old -> new"
    rank: int = 0  # of two with the same range the lower one is outside


def tokens_of(text):
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup != "space" and not match.group("space"):
            kind = next(k for k in ("text", "name", "number", "sign") if match.group(k))
            found.append(Token(kind, match.group(), match.start(), match.end()))
    open_ones = []
    for at, token in enumerate(found):
        if token.kind != "sign":
            continue
        if token.text in PAIRS:
            open_ones.append(at)
        elif token.text in PAIRS.values() and open_ones:
            token.mate = open_ones.pop()
            found[token.mate].mate = at
    return found


class Source:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.untouched = self.untouched_ranges()

    def untouched_ranges(self):
        """Assertions, what the compiler computes, and templates' heads."""
        ranges = []
        for at, token in enumerate(self.tokens):
            if token.text in ("BASALT_CHECK", "static_assert", "requires", "decltype", "noexcept",
                              "sizeof"):
                following = self.tokens[at + 1] if at + 1 < len(self.tokens) else token
                if following.text == "(" and following.mate >= 0:
                    ranges.append((token.start, self.tokens[following.mate].end))
            elif token.text in ("constexpr", "constinit", "template", "operator", "enum"):
                end = at
                while end < len(self.tokens) and self.tokens[end].text not in (";", "{"):
                    end += 1
                if end < len(self.tokens):
                    ranges.append((token.start, self.tokens[end].end))
        return ranges

    def may_change(self, position):
        return not any(a <= position < b for a, b in self.untouched)

    def line_of(self, position):
        return self.text.count("\n", 0, position) + 1

    def said(self, start, end):
        return " ".join(self.text[start:end].split())

    def change(self, start, end, pieces, said):
        return Change(self.line_of(start), start, end, pieces, said)

    def changes(self):
        found = []
        for at, token in enumerate(self.tokens):
            if self.may_change(token.start):
                found += self.negated(at) + self.compared(at) + self.joined(at) + self.moved(at)
                found += self.turned(at) + self.dropped(at)
        for rank, change in enumerate(found):
            change.rank = rank
        return found

    def negated(self, at):
        tokens = self.tokens
        if tokens[at].text not in ("if", "while") or tokens[at + 1].text != "(":
            return []
        first, last = at + 2, tokens[at + 1].mate
        i = first
        while i < last:
            if tokens[i].text == ";":
                first = i + 1
            i = tokens[i].mate + 1 if tokens[i].text in PAIRS and tokens[i].mate > i else i + 1
        i = first
        while i < last:
            if tokens[i].text == "=":
                return []  # it declares what it tests
            i = tokens[i].mate + 1 if tokens[i].text in PAIRS and tokens[i].mate > i else i + 1
        if first >= last:
            return []
        start, end = tokens[first].start, tokens[last].start
        condition = self.said(start, end)
        return [self.change(start, end, [
            (start, start, "::mutants::Mutated(@) != static_cast<bool>("), (end, end, ")")],
            f"{tokens[at].text} ({condition}) -> {tokens[at].text} (!({condition}))")]

    def compared(self, at):
        token = self.tokens[at]
        if token.text not in COMPARISONS or at == 0:
            return []
        if self.text[token.start - 1] not in " \n" or self.text[token.end] not in " \n":
            return []  # a template's bracket
        if self.equals_do_not_matter(at):
            return []
        start, end = token.start, token.end
        left, right = self.operands(at)
        return [self.change(start, end, [
            (start, end, f"{token.text} ::mutants::Tag<@>{{}} {token.text}")],
            f"{left} {token.text} {right} -> {OTHER[token.text]}")]

    def equals_do_not_matter(self, at):
        """Where `<` and `<=` are the same, so that nothing can notice: what follows `a != b` with the same
        operands, as in every order of two keys, and what only takes the lesser or the larger of two."""
        if self.tokens[at].text in ("==", "!="):
            return False
        first, last = self.operand(at, -1), self.operand(at, 1)
        left, right = self.words(first, at), self.words(at + 1, last)
        before = first
        while self.tokens[before - 1].text in ("return", "{", "?") or (
                self.is_close(before - 1) and self.tokens[self.tokens[before - 1].mate - 1].text == "if"):
            before -= 1
        if self.words(before - len(right) - 1, before) == ["!=", *right]:
            end = before - len(right) - 1
            if self.words(end - len(left), end) == left:
                return True
        if self.tokens[last].text == "?":  # a < b ? a : b
            colon = last + 1
            while self.tokens[colon].text not in (":", ";"):
                colon = self.tokens[colon].mate + 1 if self.is_open(colon) else colon + 1
            chosen = [self.words(last + 1, colon), self.words(colon + 1, self.operand(colon, 1))]
            return sorted(chosen) == sorted([left, right])
        if self.tokens[last].text != ")":
            return False
        place = last + (2 if self.tokens[last + 1].text == "{" else 1)  # if (a < b) b = a;
        equals = place
        while self.tokens[equals].kind == "name" or self.tokens[equals].text in (".", "->", "*"):
            equals += 1
        end = equals
        while self.tokens[end].text not in (";", "{", "}"):
            end = self.tokens[end].mate + 1 if self.is_open(end) else end + 1
        if self.tokens[equals].text != "=" or (place == last + 2 and self.tokens[end + 1].text != "}"):
            return False
        to, value = self.words(place, equals), self.words(equals + 1, end)
        return any(side in (to, ["*", *to]) and other in (value, ["*", *value])
                   for side, other in ((left, right), (right, left)))

    def operand(self, at, direction):
        """The index of its first token on the left, or of the one after its last on the right."""
        weaker = {"&&", "||", "return"}
        i = at + direction
        while 0 <= i < len(self.tokens) and not self.ends_operand(i, weaker, direction):
            bracket = self.is_close(i) if direction < 0 else self.is_open(i)
            i = self.tokens[i].mate + direction if bracket else i + direction
        return i + 1 if direction < 0 else i

    def words(self, first, last):
        return [token.text for token in self.tokens[max(first, 0):last]]

    def operands(self, at):
        """What stands about an operator, for the report."""
        line_start = self.text.rfind("\n", 0, self.tokens[at].start) + 1
        line_end = self.text.find("\n", self.tokens[at].end)
        return (self.said(line_start, self.tokens[at].start)[-40:],
                self.said(self.tokens[at].end, line_end)[:40])

    def joined(self, at):
        token = self.tokens[at]
        if token.text not in ("&&", "||") or at == 0:
            return []
        if self.text[token.start - 1] not in " \n" or self.text[token.end] not in " \n":
            return []  # an rvalue reference
        weaker = {"||"} if token.text == "&&" else set()
        first = at - 1
        while first >= 0 and not self.ends_operand(first, weaker, -1):
            first = self.tokens[first].mate - 1 if self.is_close(first) else first - 1
        last = at + 1
        # The right operand of && ends at the next &&: chains are grouped from the left.
        stop = {"&&", "||"} if token.text == "&&" else {"||"}
        while last < len(self.tokens) and not self.ends_operand(last, stop, 1):
            last = self.tokens[last].mate + 1 if self.is_open(last) else last + 1
        start, end = self.tokens[first + 1].start, self.tokens[last - 1].end
        name = "And" if token.text == "&&" else "Or"
        left, right = self.operands(at)
        return [self.change(start, end, [
            (start, start, f"::mutants::{name}(@, static_cast<bool>("),
            (token.start, token.end, "), [&]() -> bool { return static_cast<bool>("),
            (end, end, "); })")], f"{left} {token.text} {right} -> {'||' if name == 'And' else '&&'}")]

    def is_open(self, at):
        return self.tokens[at].text in PAIRS and self.tokens[at].mate > at

    def is_close(self, at):
        return self.tokens[at].text in PAIRS.values() and self.tokens[at].mate >= 0

    def ends_operand(self, at, also, direction):
        text = self.tokens[at].text
        if direction < 0 and self.is_close(at) and text != "}":
            return False
        if direction > 0 and self.is_open(at):
            return False
        return text in ENDS_OPERAND or text in also

    def moved(self, at):
        token = self.tokens[at]
        if token.text != "1" or self.tokens[at - 1].text not in ("+", "-"):
            return []
        if self.text[token.start - 1] != " ":
            return []  # a sign, as in -1
        left, _ = self.operands(at)
        return [self.change(token.start, token.end, [
            (token.start, token.end, "(1 + static_cast<int>(::mutants::Mutated(@)))")],
            f"{left} 1 -> 2")]

    def turned(self, at):
        token = self.tokens[at]
        if token.text not in ("true", "false") or self.tokens[at - 1].text != "return":
            return []
        if self.tokens[at + 1].text != ";":
            return []
        other = "false" if token.text == "true" else "true"
        return [self.change(token.start, token.end, [
            (token.start, token.end, f"(::mutants::Mutated(@) ? {other} : {token.text})")],
            f"return {token.text} -> return {other}")]

    def dropped(self, at):
        """A statement that is a call, or adds to something."""
        tokens = self.tokens
        if tokens[at].kind != "name" or tokens[at].text in NOT_CALLED or at == 0:
            return []
        before = tokens[at - 1]
        if before.text not in (";", "{", "}", ")", "else"):
            return []
        if before.text == ")" and (before.mate < 1 or tokens[before.mate - 1].text not in
                                   ("if", "for", "while")):
            return []
        i, called, name = at + 1, False, tokens[at].text
        while i < len(tokens):
            text = tokens[i].text
            if text in ("(", "["):
                called = text == "("
                i = tokens[i].mate + 1
            elif text in (".", "->", "::"):
                called = False
                name = tokens[i + 1].text
                i += 2
            else:
                break
            if i <= 0:
                return []
        if i >= len(tokens):
            return []
        if tokens[i].text in ("+=", "-="):
            while tokens[i].text not in (";", ")"):
                i = tokens[i].mate + 1 if self.is_open(i) else i + 1
            if tokens[i].text == ")":
                return []  # the last part of a for
        elif tokens[i].text != ";" or not called or name in ONLY_SPEED:
            return []
        start, end = tokens[at].start, tokens[i].end
        return [self.change(start, end, [
            (start, start, "{ if (!::mutants::Mutated(@)) "), (end, end, " }")],
            f"{self.said(start, end)} -> dropped")]

    def changed(self, numbered):
        """The text with (n, Change) in it."""
        edits = []
        for number, change in numbered:
            for place, (start, end, text) in enumerate(change.pieces):
                opening = place == 0
                size = change.end - change.start
                # At one position what closes comes first, the innermost first; then what opens, the
                # outermost first; then what replaces.
                order = ((2, 0, 0) if end > start else
                         (1, -size, change.rank) if opening else (0, size, -change.rank))
                edits.append((start, order, end, text.replace("@", str(number))))
        edits.sort()
        out, position = [], 0
        for start, _, end, text in edits:
            out += [self.text[position:start], text, "\n" * self.text.count("\n", start, end)]
            position = end
        return '#include "mutants.h"\n#line 1\n' + "".join(out) + self.text[position:]
