#include "apiserver/kinds/columns.h"

#include <algorithm>
#include <map>
#include <string>

#include "apiserver/data/tables.h"

namespace basalt::apiserver {
namespace {

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

}  // namespace

std::vector<TableColumn> BuiltinColumns(std::string_view kind) {
  static const ColumnTable* const table = new ColumnTable(ParseColumns(ColumnsText()));
  const auto found = table->find(kind);
  if (found != table->end()) return found->second;
  return {{.name = "Name", .format = "name"}, {.name = "Created At", .type = "date"}};
}

}  // namespace basalt::apiserver
