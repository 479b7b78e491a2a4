#include "cli/object_table.h"

#include <fmt/format.h>

#include "cli/amounts_text.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"
#include "kube/types/time.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// The last word is a key of the object that the others lead to.
struct FieldPath {
  std::vector<std::string_view> words;

  const json::object* Holder(const json::object& object) const {
    const json::object* at = &object;
    for (std::size_t i = 0; at != nullptr && i + 1 < words.size(); ++i) {
      at = ObjectAt(*at, {words[i]});
    }
    return at;
  }
  std::string_view key() const { return words.back(); }
};

bool IsShown(const Column& column, const TableForm& form) {
  switch (column.when) {
    case Column::When::kAlways: return true;
    case Column::When::kAllNamespaces: return form.all_namespaces;
    case Column::When::kWide: return form.wide;
  }
  return false;
}

}  // namespace

Cell TextCell(std::initializer_list<std::string_view> path, std::string_view otherwise) {
  return [path = FieldPath{path}, otherwise](const json::object& object) {
    const json::object* holder = path.Holder(object);
    std::string text = holder ? ValueText(*holder, path.key()) : "";
    return text.empty() ? std::string(otherwise) : text;
  };
}

Cell CountCell(std::initializer_list<std::string_view> path) {
  return [path = FieldPath{path}](const json::object& object) {
    return std::to_string(NumberAt(path.Holder(object), path.key()));
  };
}

Cell AmountsCell(std::initializer_list<std::string_view> path) {
  return [path = FieldPath{path}](const json::object& object) {
    const json::object* holder = path.Holder(object);
    return AmountsText(holder ? ObjectAt(*holder, {path.key()}) : nullptr);
  };
}

Cell AgeCell(Time now) {
  return [now](const json::object& object) -> std::string {
    const auto created = kube::ParseTime(MetaText(object, "creationTimestamp"));
    if (!created) return "-";
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - *created).count();
    if (seconds < 120) return fmt::format("{}s", seconds < 0 ? 0 : seconds);
    if (seconds < 2 * 3600) return fmt::format("{}m", seconds / 60);
    if (seconds < 48 * 3600) return fmt::format("{}h", seconds / 3600);
    return fmt::format("{}d", seconds / 86400);
  };
}

std::string ObjectTable(std::string_view kinds, const json::array& objects,
                        const std::vector<Column>& columns, const TableForm& form) {
  if (objects.empty()) return fmt::format("No {}.\n", kinds);
  TextRows rows(objects.size() + 1);
  for (const Column& column : columns) {
    if (!IsShown(column, form)) continue;
    rows[0].emplace_back(column.head);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      std::string text = column.cell(ObjectOf(objects[i]));
      if (text.empty() && column.when == Column::When::kWide) text = "-";
      rows[i + 1].push_back(std::move(text));
    }
  }
  return TextTable(std::move(rows));
}

}  // namespace basalt::cli
