#include "apiserver/kinds/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <map>

#include "apiserver/data/tables.h"
#include "apiserver/object/object.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

const json::value* Follow(const json::object& object, const std::vector<std::string>& path) {
  const json::object* at = &object;
  const json::value* found = nullptr;
  for (const std::string& field : path) {
    found = at == nullptr ? nullptr : at->if_contains(field);
    if (found == nullptr) return nullptr;
    at = found->if_object();
  }
  return found;
}

// A field as Go has it: zero where it is absent.
json::value OrZero(const json::value* value, const TypeSchema& type) {
  const bool number = type.kind == Kind::kInt32 || type.kind == Kind::kInt64;
  if (number) return value != nullptr && value->is_int64() ? *value : json::value(0);
  if (type.kind == Kind::kBool) return value != nullptr && *value == true;
  return value == nullptr ? json::value("") : json::value(AsText(*value));
}

std::string TextOf(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  return value.is_int64() ? std::to_string(value.get_int64()) : "";
}

using ColumnTable = std::map<std::string, std::vector<TableColumn>, std::less<>>;

// NAME:TYPE:FORMAT:PRIORITY, underscores for blanks; what is missing at the end is as usual.
TableColumn ParseColumn(std::string_view word) {
  const auto next = [&word] {
    const std::size_t end = std::min(word.find(':'), word.size());
    const std::string part(word.substr(0, end));
    word.remove_prefix(std::min(end + 1, word.size()));
    return part;
  };
  TableColumn column{.name = next()};
  std::ranges::replace(column.name, '_', ' ');
  if (std::string type = next(); !type.empty()) column.type = type;
  column.format = next();
  column.priority = next() == "1" ? 1 : 0;
  return column;
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

bool IsEmptyText(const json::value& value) {
  return value.is_string() && value.get_string().empty();
}

}  // namespace

std::string_view CellInput::Text(std::size_t i) const {
  return arguments[i] == nullptr ? std::string_view() : AsText(*arguments[i]);
}

const json::array& CellInput::List(std::size_t i) const {
  static const json::array kNone;
  const json::array* list = arguments[i] == nullptr ? nullptr : arguments[i]->if_array();
  return list == nullptr ? kNone : *list;
}

const json::object* CellInput::Object(std::size_t i) const {
  return arguments[i] == nullptr ? nullptr : arguments[i]->if_object();
}

RowCells::RowCells(std::string_view words, const TypeSchema& kind) {
  for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
    cells_.push_back(ParseCell(word, kind));
  }
}

json::array RowCells::Of(const json::object& object, Time now) const {
  json::array cells;
  for (const Cell& cell : cells_) {
    json::value value = Show(cell, object, now);
    cells.push_back(IsEmptyText(value) ? json::value(cell.otherwise) : std::move(value));
  }
  return cells;
}

RowCells::Argument RowCells::Parse(std::string_view text, const TypeSchema& kind) {
  if (!text.starts_with('.')) return {.word = json::value(text)};
  Argument argument{.type = &kind};
  while (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('.'), text.size());
    argument.path.emplace_back(text.substr(0, end));
    if (argument.type->kind == Kind::kMap) {
      argument.type = argument.type->element;
    } else {
      const TypeSchema::Field* field = argument.type->FindField(argument.path.back());
      BASALT_CHECK(field != nullptr);
      argument.type = field->type;
    }
    text.remove_prefix(end);
  }
  return argument;
}

RowCells::Cell RowCells::ParseCell(std::string_view word, const TypeSchema& kind) {
  Cell cell;
  if (const std::size_t bar = word.find('|'); bar != word.npos) {
    cell.otherwise = word.substr(bar + 1);
    word = word.substr(0, bar);
  }
  char separator = '/';
  if (!word.starts_with('.')) {
    const std::size_t bracket = std::min(word.find('('), word.size());
    cell.function = FindCellFunction(word.substr(0, bracket));
    BASALT_CHECK(cell.function != nullptr);
    word.remove_prefix(bracket);
    if (word.empty()) return cell;
    word = word.substr(1, word.size() - 2);  // without its brackets
    separator = ',';
  }
  while (!word.empty()) {
    const std::size_t end = std::min(word.find(separator), word.size());
    cell.arguments.push_back(Parse(word.substr(0, end), kind));
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return cell;
}

json::value RowCells::Show(const Cell& cell, const json::object& object, Time now) {
  if (cell.function != nullptr) {
    CellInput input{.object = object, .now = now, .arguments = {}};
    for (const Argument& argument : cell.arguments) {
      const bool word = !argument.word.is_null();
      input.arguments.push_back(word ? &argument.word : Follow(object, argument.path));
    }
    return cell.function(input);
  }
  const auto value = [&](const Argument& argument) {
    return OrZero(Follow(object, argument.path), *argument.type);
  };
  if (cell.arguments.size() == 1) return value(cell.arguments[0]);
  return json::value(
      fmt::format("{}/{}", TextOf(value(cell.arguments[0])), TextOf(value(cell.arguments[1]))));
}

std::string TextAt(const json::object& object, std::string_view path, const TypeSchema& kind) {
  const json::array cells = RowCells(fmt::format(".{}", path), kind).Of(object, Time());
  return TextOf(cells.at(0));
}

std::vector<TableColumn> BuiltinColumns(std::string_view kind) {
  static const ColumnTable* const table = new ColumnTable(ParseColumns(ColumnsText()));
  const auto found = table->find(kind);
  if (found != table->end()) return found->second;
  return {{.name = "Name", .format = "name"}, {.name = "Created At", .type = "date"}};
}

}  // namespace basalt::apiserver
