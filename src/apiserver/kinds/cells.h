#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/kinds/json_path.h"
#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// What a cell's function is told: the object, the word among its arguments, and all that its paths
// lead to.
struct CellInput {
  const json::object& object;
  Time now;
  std::string_view word;
  std::vector<const json::value*> values;

  // The first value as what it should be; empty where it is something else.
  std::string_view Text() const { return values.empty() ? std::string_view() : AsText(*values[0]); }
  const json::object* Object() const { return values.empty() ? nullptr : values[0]->if_object(); }
};
using CellFunction = json::value (*)(const CellInput& input);
// By its name; cell_functions.cc has them all.
CellFunction FindCellFunction(std::string_view name);

// A row of kubectl's table of a kind, written as a word for each cell:
//
//   .spec.replicas       a field: a number and a truth as they are, all else as text
//   .a.b/.c.d            two fields and a slash between them
//   age, join(.a[*].b)   a function; its arguments are JSONPaths and a word
//   WORD|TEXT            TEXT where the cell would be empty
class RowCells {
 public:
  RowCells(std::string_view words, const TypeSchema& kind);

  json::array Of(const json::object& object, Time now) const;

 private:
  struct Cell {
    CellFunction function = nullptr;  // none: the fields themselves
    std::string word;
    std::vector<JsonPath> paths;
    std::vector<const TypeSchema*> types;  // of the fields that paths lead to; null with a function
    std::string otherwise;
  };
  static Cell ParseCell(std::string_view word, const TypeSchema& kind);
  static json::value Show(const Cell& cell, const json::object& object, Time now);

  std::vector<Cell> cells_;
};

// Pieces of tables

// "5m18s", "3d4h": a duration as people say it.
std::string HumanDuration(Duration duration);
// How long ago; "<unknown>" for a time that is not there or not a time.
std::string Since(std::string_view timestamp, Time now);
// metadata.creationTimestamp, as an age.
std::string Age(const json::object& object, Time now);
// "a=b,c in (d,e)", or "<none>" where nothing is selected; for a metav1.LabelSelector.
std::string SelectorText(const json::object* selector);
// "a=b,c=d" in order of keys, or "<none>".
std::string LabelsText(const json::object* labels);

// The columns of kubectl's tables of a built-in kind, by its name.
std::vector<TableColumn> BuiltinColumns(std::string_view kind);

// The field at a path ("spec.hostNetwork") as text: "true", "3", "" where a string is absent.
std::string TextAt(const json::object& object, std::string_view path, const TypeSchema& kind);

}  // namespace basalt::apiserver
