#pragma once

#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"
#include "base/error.h"

namespace basalt::apiserver {

// The part of kubectl's JSONPath that CRDs use: .a.b, ['a'], [0], [*], [?(@.type=="Ready")], with
// '.' in a name escaped by a backslash. A plain value, immutable; any thread.
class JsonPath {
 public:
  static Result<JsonPath> Parse(std::string_view text);

  // All values that it leads to, in order.
  std::vector<const json::value*> Find(const json::object& object) const;
  const json::value* First(const json::object& object) const;
  // Sets the value at a path of plain names, making the objects on the way. False: it is not such a
  // path, or something else is in the way.
  bool Set(json::object& object, json::value value) const;

 private:
  struct Step {
    enum class Kind { kName, kIndex, kAll, kFilter };
    Kind kind = Kind::kName;
    std::string name;                 // kName
    std::int64_t index = 0;           // kIndex
    std::vector<std::string> filter;  // kFilter: the names after '@'
    json::value wanted;               // kFilter
    bool equal = true;                // kFilter: == or !=

    // Adds what the step leads to from a value.
    void Take(const json::value& from, std::vector<const json::value*>& to) const;
    bool Passes(const json::value& item) const;
  };
  static Result<Step> ParseBrackets(std::string_view inside);
  static Result<Step> ParseFilter(std::string_view filter);

  std::vector<Step> steps_;
};

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
//
// Immutable after construction; owned by the kind's rules.
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
