#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// What a cell's function is told: the object, and what its arguments are, null where absent.
struct CellInput {
  const json::object& object;
  Time now;
  std::vector<const json::value*> arguments;

  // An argument as what it should be; empty where it is something else.
  std::string_view Text(std::size_t i = 0) const;
  const json::array& List(std::size_t i = 0) const;
  const json::object* Object(std::size_t i = 0) const;
};
using CellFunction = json::value (*)(const CellInput& input);
// By its name; cell_functions.cc has them all.
CellFunction FindCellFunction(std::string_view name);

// A row of kubectl's table of a kind, written as a word for each cell:
//
//   .spec.replicas       a field: a number and a truth as they are, all else as text
//   .a.b/.c.d            two fields and a slash between them
//   age, join(.a,name)   a function; its arguments are fields and words
//   WORD|TEXT            TEXT where the cell would be empty
class RowCells {
 public:
  RowCells(std::string_view words, const TypeSchema& kind);

  json::array Of(const json::object& object, Time now) const;

 private:
  struct Argument {
    json::value word;               // null: it is a field
    std::vector<std::string> path;  // of that field
    const TypeSchema* type = nullptr;
  };
  struct Cell {
    CellFunction function = nullptr;  // none: the fields themselves
    std::vector<Argument> arguments;
    std::string otherwise;
  };
  static Argument Parse(std::string_view text, const TypeSchema& kind);
  static Cell ParseCell(std::string_view word, const TypeSchema& kind);
  static json::value Show(const Cell& cell, const json::object& object, Time now);

  std::vector<Cell> cells_;
};

// The columns of kubectl's tables of a built-in kind, by its name.
std::vector<TableColumn> BuiltinColumns(std::string_view kind);

// The field at a path ("spec.hostNetwork") as text: "true", "3", "" where a string is absent.
std::string TextAt(const json::object& object, std::string_view path, const TypeSchema& kind);

}  // namespace basalt::apiserver
