#include <algorithm>

#include "apiserver/data/tables.h"

namespace basalt::apiserver {

std::string_view NextWord(std::string_view& entry) {
  const std::size_t start = std::min(entry.find_first_not_of(" \n"), entry.size());
  const std::size_t end = std::min(entry.find_first_of(" \n", start), entry.size());
  const std::string_view word = entry.substr(start, end - start);
  entry.remove_prefix(end);
  return word;
}

std::string_view NextEntry(std::string_view& text) {
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

}  // namespace basalt::apiserver
