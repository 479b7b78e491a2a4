#pragma once

#include <algorithm>
#include <string_view>

// What the wire of Kubernetes looks like: data/*.txt, which tools/kubernetes writes from the
// modules that Kubernetes publishes, embedded in the program. One entry a line; a line that starts
// with a blank goes on with the one before it.
namespace basalt::apiserver {

// The built-in kinds as they are served; kinds/builtin.cc.
std::string_view KindsText();
// The types of the built-in kinds; schema/type_schema.h explains the notation.
std::string_view TypesText();
// The field numbers of their protobuf form; protobuf/decode_body.cc.
std::string_view FieldNumbersText();
// The columns of kubectl's tables; kinds/cells.h.
std::string_view ColumnsText();

// Reading them. The next entry of `text`, which is cut off it, and the next blank-separated word of
// an entry; empty at the end.
inline std::string_view NextEntry(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  std::size_t end = 0;
  do {
    end = std::min(text.find('\n', end), text.size());
    end = std::min(end + 1, text.size());
  } while (end < text.size() && text[end] == ' ');
  const std::string_view entry = text.substr(0, end);
  text.remove_prefix(end);
  return entry;
}

inline std::string_view NextWord(std::string_view& entry) {
  const std::size_t start = std::min(entry.find_first_not_of(" \n"), entry.size());
  const std::size_t end = std::min(entry.find_first_of(" \n", start), entry.size());
  const std::string_view word = entry.substr(start, end - start);
  entry.remove_prefix(end);
  return word;
}

}  // namespace basalt::apiserver
