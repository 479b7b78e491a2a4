#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Taking texts apart.
namespace basalt::apiserver {

// Before and behind the first `mark`; all of it and nothing where there is none.
inline std::pair<std::string_view, std::string_view> Cut(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == text.npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

// What stands between the marks, without empty pieces.
inline std::vector<std::string_view> Pieces(std::string_view text, char mark) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const auto [piece, rest] = Cut(text, mark);
    if (!piece.empty()) pieces.push_back(piece);
    text = rest;
  }
  return pieces;
}

// All that stands between the marks: at least one part.
inline std::vector<std::string> Split(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(mark);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

inline std::string_view WithoutBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace basalt::apiserver
