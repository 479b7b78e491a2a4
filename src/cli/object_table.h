#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/ask_scheduler.h"

// A table of objects is said by its columns: what stands above, and what is read from an object.
namespace basalt::cli {

using Cell = std::function<std::string(const boost::json::object&)>;

// What is at the end of the path: a text as it is, else as JSON; `otherwise` where there is none.
Cell TextCell(std::initializer_list<std::string_view> path, std::string_view otherwise = "");
// The number there; 0 where there is none.
Cell CountCell(std::initializer_list<std::string_view> path);
// "cpu 4, memory 8Gi"
Cell AmountsCell(std::initializer_list<std::string_view> path);
// How old the object is, as kubectl has it: "5s", "12m", "3h", "2d"; "-" where it does not say.
Cell AgeCell(Time now);

struct Column {
  enum class When { kAlways, kAllNamespaces, kWide };

  std::string_view head;
  Cell cell;
  When when = When::kAlways;
};

// Which columns there are.
struct TableForm {
  TableForm() = default;
  TableForm(const AskFlags& flags)  // NOLINT(google-explicit-constructor)
      : all_namespaces(flags.all_namespaces), wide(flags.output == "wide") {}

  bool all_namespaces = false;
  bool wide = false;
};

// A line for each object; "No jobs." where there are none. What -o wide adds and is empty is "-".
std::string ObjectTable(std::string_view kinds, const boost::json::array& objects,
                        const std::vector<Column>& columns, const TableForm& form = {});

}  // namespace basalt::cli
