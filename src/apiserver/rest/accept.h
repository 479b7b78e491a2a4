#pragma once

#include <string>
#include <string_view>

#include "apiserver/object/status.h"

namespace basalt::apiserver {

// The form of a response, as Accept asks for it. Always JSON.
struct OutputFormat {
  enum class Shape { kObject, kTable, kPartialMetadata };
  Shape shape = Shape::kObject;
  bool of_list = false;  // kPartialMetadata: the client asked for the list's form
  std::string include_object = "Metadata";  // of a Table's rows: None, Metadata or Object

  bool operator==(const OutputFormat&) const = default;
};

// One entry of an Accept header.
struct MediaRange {
  std::string_view type;  // "application/json"
  std::string_view as, group, version;

  bool IsJson() const {
    return type == "application/json" || type == "*/*" || type == "application/*";
  }
};

// Takes the first entry that can be served; refuses with 406 where there is none. `tables` and
// partial metadata are for get, list and watch of resources.
ApiResult<OutputFormat> NegotiateOutput(std::string_view accept);

std::string_view TrimSpace(std::string_view text);

// Visits the entries in the client's order until `visit` returns true; false: none did.
template <class Visit>
bool AnyMediaRange(std::string_view accept, Visit visit) {
  while (!accept.empty()) {
    const std::size_t comma = accept.find(',');
    std::string_view entry = accept.substr(0, comma);
    accept.remove_prefix(comma == std::string_view::npos ? accept.size() : comma + 1);
    MediaRange range;
    bool first = true;
    while (!entry.empty()) {
      const std::size_t semicolon = entry.find(';');
      const std::string_view piece = TrimSpace(entry.substr(0, semicolon));
      entry.remove_prefix(semicolon == std::string_view::npos ? entry.size() : semicolon + 1);
      if (first) {
        range.type = piece;
        first = false;
        continue;
      }
      const std::size_t equals = piece.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string_view name = TrimSpace(piece.substr(0, equals));
      const std::string_view value = TrimSpace(piece.substr(equals + 1));
      if (name == "as") range.as = value;
      if (name == "g") range.group = value;
      if (name == "v") range.version = value;
    }
    if (!range.type.empty() && visit(range)) return true;
  }
  return false;
}

}  // namespace basalt::apiserver
