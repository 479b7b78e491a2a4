#include "apiserver/schema/internal_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cctype>
#include <map>
#include <vector>

#include "apiserver/schema/internal_types.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

namespace json = boost::json;

struct InternalField {
  std::string name;
  std::string wire;
  std::string_view type;
  bool omit_empty = false;
};
using InternalType = std::vector<InternalField>;
using InternalTable = std::map<std::string_view, InternalType, std::less<>>;

InternalField ParseField(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::size_t colon = word.find(':', equals);
  BASALT_CHECK(equals != word.npos && colon != word.npos);
  InternalField field{.name = std::string(word.substr(0, equals)),
                      .wire = std::string(word.substr(equals + 1, colon - equals - 1)),
                      .type = word.substr(colon + 1)};
  if (field.wire.empty()) {
    field.wire = field.name;
    field.wire[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(field.wire[0])));
  }
  if (field.type.ends_with('?')) {
    field.omit_empty = true;
    field.type.remove_suffix(1);
  }
  return field;
}

InternalTable ParseTable(std::string_view text) {
  InternalTable table;
  InternalType* current = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool continues = line.starts_with(' ');
    bool first = !continues;
    while (!line.empty()) {
      const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
      const std::size_t stop = std::min(line.find(' ', start), line.size());
      const std::string_view word = line.substr(start, stop - start);
      line.remove_prefix(stop);
      if (word.empty()) continue;
      if (first) {
        current = &table[word];
        first = false;
      } else {
        current->push_back(ParseField(word));
      }
    }
  }
  return table;
}

const InternalTable& Internals() {
  static const InternalTable* const table = new InternalTable(ParseTable(InternalTypes()));
  return *table;
}

json::value Form(const json::value* wire, std::string_view type);

// Where the internal type holds a field in another struct than the wire does.
json::object Rearranged(const json::object& wire, std::string_view type) {
  json::object result = wire;
  if (type == "PodSpec") {
    json::object context;
    if (const json::value* found = wire.if_contains("securityContext");
        found && found->is_object()) {
      context = found->get_object();
    }
    for (const std::string_view field :
         {"hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"}) {
      if (const json::value* value = wire.if_contains(field)) context[field] = *value;
    }
    result["securityContext"] = std::move(context);
  } else if (type == "PodTemplateSpec" || type == "PersistentVolumeClaimTemplate") {
    if (const json::value* metadata = wire.if_contains("metadata");
        metadata && metadata->is_object()) {
      for (const auto& [key, value] : metadata->get_object()) result[key] = value;
    }
  }
  return result;
}

bool IsEmpty(const json::value& value) {
  return value.is_null() || (value.is_string() && value.get_string().empty()) ||
         (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty()) ||
         (value.is_int64() && value.get_int64() == 0) || (value.is_bool() && !value.get_bool());
}

json::value FormStruct(const json::value* wire, std::string_view type) {
  const auto found = Internals().find(type);
  BASALT_CHECK(found != Internals().end());
  static const json::object kNothing;
  const json::object source =
      Rearranged(wire != nullptr && wire->is_object() ? wire->get_object() : kNothing, type);
  json::object result;
  for (const InternalField& field : found->second) {
    json::value value = Form(source.if_contains(field.wire), field.type);
    if (field.omit_empty && IsEmpty(value)) continue;
    result[field.name] = std::move(value);
  }
  return result;
}

json::value Form(const json::value* wire, std::string_view type) {
  const bool absent = wire == nullptr || wire->is_null();
  if (type.starts_with('*')) return absent ? json::value() : Form(wire, type.substr(1));
  if (type.starts_with("[]")) {
    if (absent || !wire->is_array()) return nullptr;
    json::array list;
    for (const json::value& item : wire->get_array()) list.push_back(Form(&item, type.substr(2)));
    return list;
  }
  if (type.starts_with("{}")) {
    if (absent || !wire->is_object()) return nullptr;
    std::map<std::string, json::value> sorted;
    for (const auto& [key, value] : wire->get_object()) {
      sorted.emplace(key, Form(&value, type.substr(2)));
    }
    json::object map;
    for (auto& [key, value] : sorted) map[key] = std::move(value);
    return map;
  }
  if (type == "string") return absent ? json::value("") : *wire;
  if (type == "bool") return absent ? json::value(false) : *wire;
  if (type == "int") return absent ? json::value(0) : *wire;
  if (type == "any") return absent ? json::value() : *wire;
  return FormStruct(wire, type);
}

// As Go's json.MarshalIndent with one blank a level, line by line.
void Print(const json::value& value, std::size_t depth, std::string& line,
           std::vector<std::string>& lines) {
  const auto finish = [&] {
    lines.push_back(std::move(line));
    line.clear();
  };
  const auto open = [&](char bracket) {
    line += bracket;
    finish();
  };
  if (value.is_object() && !value.get_object().empty()) {
    open('{');
    std::size_t left = value.get_object().size();
    for (const auto& [key, member] : value.get_object()) {
      line = std::string(depth + 1, ' ') + json::serialize(json::string(key)) + ": ";
      Print(member, depth + 1, line, lines);
      if (--left > 0) line += ',';
      finish();
    }
    line = std::string(depth, ' ') + "}";
  } else if (value.is_array() && !value.get_array().empty()) {
    open('[');
    std::size_t left = value.get_array().size();
    for (const json::value& item : value.get_array()) {
      line = std::string(depth + 1, ' ');
      Print(item, depth + 1, line, lines);
      if (--left > 0) line += ',';
      finish();
    }
    line = std::string(depth, ' ') + "]";
  } else {
    line += json::serialize(value);
  }
}

std::vector<std::string> Lines(const json::value& value) {
  std::vector<std::string> lines;
  std::string line;
  Print(value, 0, line, lines);
  lines.push_back(std::move(line));
  return lines;
}

// One line of a diff: kept (' '), gone ('-') or new ('+').
struct Edit {
  char sign;
  const std::string* line;
};

std::vector<Edit> Diff(const std::vector<std::string>& before,
                       const std::vector<std::string>& after) {
  // Lengths of the longest common subsequences of the tails.
  std::vector<std::vector<int>> common(before.size() + 1, std::vector<int>(after.size() + 1));
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      common[i][j] = before[i] == after[j] ? common[i + 1][j + 1] + 1
                                           : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::vector<Edit> edits;
  std::vector<Edit> added;  // held back so that what goes comes before what replaces it
  std::size_t i = 0;
  std::size_t j = 0;
  const auto flush = [&] {
    edits.insert(edits.end(), added.begin(), added.end());
    added.clear();
  };
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      flush();
      edits.push_back({' ', &before[i]});
      ++i;
      ++j;
    } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
      edits.push_back({'-', &before[i++]});
    } else {
      added.push_back({'+', &after[j++]});
    }
  }
  flush();
  return edits;
}

}  // namespace

json::value InternalForm(const json::value& wire, std::string_view type) {
  return Form(&wire, type);
}

std::string InternalDiff(const json::value& before, const json::value& after,
                         std::string_view type) {
  constexpr std::size_t kContext = 3;
  const std::vector<std::string> old_lines = Lines(InternalForm(before, type));
  const std::vector<std::string> new_lines = Lines(InternalForm(after, type));
  const std::vector<Edit> edits = Diff(old_lines, new_lines);
  std::string text;
  for (std::size_t at = 0; at < edits.size();) {
    if (edits[at].sign == ' ') {
      ++at;
      continue;
    }
    // A hunk: from here to the last change that is near enough to the one before it.
    const std::size_t start = at >= kContext ? at - kContext : 0;
    std::size_t last = at;
    for (std::size_t i = at; i < edits.size() && i <= last + 2 * kContext + 1; ++i) {
      if (edits[i].sign != ' ') last = i;
    }
    const std::size_t end = std::min(last + kContext + 1, edits.size());
    const auto count = [&](std::size_t from, std::size_t to, char skip) {
      return std::count_if(edits.begin() + static_cast<std::ptrdiff_t>(from),
                           edits.begin() + static_cast<std::ptrdiff_t>(to),
                           [skip](const Edit& edit) { return edit.sign != skip; });
    };
    text += fmt::format("@@ -{},{} +{},{} @@\n", count(0, start, '+') + 1, count(start, end, '+'),
                        count(0, start, '-') + 1, count(start, end, '-'));
    for (std::size_t i = start; i < end; ++i) {
      text += edits[i].sign;
      text += *edits[i].line;
      text += '\n';
    }
    at = end;
  }
  return text;
}

}  // namespace basalt::apiserver
