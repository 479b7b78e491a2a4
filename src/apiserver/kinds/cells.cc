#include "apiserver/kinds/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/text.h"
#include "base/check.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

// The type of the field at a path of names.
const TypeSchema& TypeAt(std::string_view path, const TypeSchema& kind) {
  const TypeSchema* type = &kind;
  for (const std::string& name : Split(path, '.')) {
    const TypeSchema::Field* field = type->FindField(name);
    BASALT_CHECK(field != nullptr || type->kind == Kind::kMap);
    type = field == nullptr ? type->element : field->type;
  }
  return *type;
}

// A field as Go has it: zero where it is absent.
json::value OrZero(const json::value* value, const TypeSchema& type) {
  const bool number = type.kind == Kind::kInt32 || type.kind == Kind::kInt64;
  if (number) return value != nullptr && value->is_int64() ? *value : json::value(0);
  if (type.kind == Kind::kBool) return value != nullptr && *value == true;
  return json::value(value == nullptr ? "" : TextOf(*value));
}

using ColumnTable = std::map<std::string, std::vector<TableColumn>, std::less<>>;

// NAME:TYPE:FORMAT:PRIORITY, underscores for blanks; what is missing at the end is as usual.
TableColumn ParseColumn(std::string_view word) {
  std::vector<std::string> parts = Split(word, ':');
  parts.resize(4);
  std::ranges::replace(parts[0], '_', ' ');
  return {.name = parts[0],
          .type = parts[1].empty() ? "string" : parts[1],
          .format = parts[2],
          .priority = parts[3] == "1" ? 1 : 0};
}

ColumnTable ParseColumns(std::string_view text) {
  ColumnTable table;
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    std::vector<TableColumn>& columns = table[std::string(NextWord(entry))];
    for (std::string_view word = NextWord(entry); !word.empty(); word = NextWord(entry)) {
      columns.push_back(ParseColumn(word));
    }
  }
  return table;
}

}  // namespace

RowCells::RowCells(std::string_view words, const TypeSchema& kind) {
  for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
    cells_.push_back(ParseCell(word, kind));
  }
}

json::array RowCells::Of(const json::object& object, Time now) const {
  json::array cells;
  for (const Cell& cell : cells_) {
    json::value value = Show(cell, object, now);
    cells.push_back(value == "" ? json::value(cell.otherwise) : std::move(value));
  }
  return cells;
}

RowCells::Cell RowCells::ParseCell(std::string_view word, const TypeSchema& kind) {
  Cell cell;
  std::tie(word, cell.otherwise) = Cut(word, '|');
  const bool function = !word.starts_with('.');
  if (function) {
    const std::size_t bracket = std::min(word.find('('), word.size());
    cell.function = FindCellFunction(word.substr(0, bracket));
    BASALT_CHECK(cell.function != nullptr);
    word.remove_prefix(bracket);
    if (word.empty()) return cell;
    word = word.substr(1, word.size() - 2);  // without its brackets
  }
  for (const std::string& argument : Split(word, function ? ',' : '/')) {
    if (!argument.starts_with('.')) {
      cell.word = argument;
      continue;
    }
    Result<JsonPath> path = JsonPath::Parse(argument);
    BASALT_CHECK(path.has_value());
    cell.paths.push_back(std::move(*path));
    if (!function) cell.types.push_back(&TypeAt(argument.substr(1), kind));
  }
  return cell;
}

json::value RowCells::Show(const Cell& cell, const json::object& object, Time now) {
  if (cell.function != nullptr) {
    CellInput input{.object = object, .now = now, .word = cell.word, .values = {}};
    for (const JsonPath& path : cell.paths) {
      for (const json::value* value : path.Find(object)) input.values.push_back(value);
    }
    return cell.function(input);
  }
  const auto value = [&](std::size_t i) {
    return OrZero(cell.paths[i].First(object), *cell.types[i]);
  };
  if (cell.paths.size() == 1) return value(0);
  return json::value(fmt::format("{}/{}", TextOf(value(0)), TextOf(value(1))));
}

std::string TextAt(const json::object& object, std::string_view path, const TypeSchema& kind) {
  return TextOf(OrZero(Follow(object, Split(path, '.')), TypeAt(path, kind)));
}

std::string HumanDuration(Duration duration) {
  constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86400, kYear = 365 * kDay;
  struct Scale {
    std::int64_t below;
    std::int64_t unit;
    char name;
    std::int64_t part = 0;  // of the unit, shown where it is not zero
    char part_name = ' ';
  };
  constexpr Scale kScales[] = {{2 * kMinute, 1, 's'},     {10 * kMinute, kMinute, 'm', 1, 's'},
                               {3 * kHour, kMinute, 'm'}, {8 * kHour, kHour, 'h', kMinute, 'm'},
                               {2 * kDay, kHour, 'h'},    {8 * kDay, kDay, 'd', kHour, 'h'},
                               {2 * kYear, kDay, 'd'},    {8 * kYear, kYear, 'y', kDay, 'd'}};
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < 0) return seconds < -1 ? "<invalid>" : "0s";
  for (const Scale& scale : kScales) {
    if (seconds >= scale.below) continue;
    const std::int64_t parts = scale.part == 0 ? 0 : seconds % scale.unit / scale.part;
    return fmt::format("{}{}{}", seconds / scale.unit, scale.name,
                       parts == 0 ? "" : fmt::format("{}{}", parts, scale.part_name));
  }
  return fmt::format("{}y", seconds / kYear);
}

std::string Since(std::string_view timestamp, Time now) {
  if (timestamp.empty()) return "<unknown>";
  const Result<Time> then = kube::ParseTime(timestamp);
  return then ? HumanDuration(Between(*then, now)) : "<unknown>";
}

std::string Age(const json::object& object, Time now) {
  return Since(GetString(object, {"metadata", "creationTimestamp"}), now);
}

std::string LabelsText(const json::object* labels) {
  const kube::LabelSelector selector = kube::LabelSelector::OfLabels(LabelsOf(labels));
  return selector.empty() ? "<none>" : selector.ToString();
}

std::string SelectorText(const json::object* selector) {
  const std::optional<kube::LabelSelector> parsed = SelectorOf(selector);
  return !parsed || parsed->empty() ? "<none>" : parsed->ToString();
}

std::vector<TableColumn> BuiltinColumns(std::string_view kind) {
  static const ColumnTable* const table = new ColumnTable(ParseColumns(ColumnsText()));
  const auto found = table->find(kind);
  if (found != table->end()) return found->second;
  return {{.name = "Name", .format = "name"}, {.name = "Created At", .type = "date"}};
}

}  // namespace basalt::apiserver
