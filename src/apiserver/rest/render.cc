#include "apiserver/rest/render.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {

json::array TableColumns(const ServedKind& kind) {
  json::array columns;
  for (const TableColumn& column : kind.info.rules->Columns()) {
    columns.push_back(json::object{{"name", column.name},
                                   {"type", column.type},
                                   {"format", column.format},
                                   {"description", column.description},
                                   {"priority", column.priority}});
  }
  return columns;
}

json::object PartialMetadata(const json::object& object) {
  json::object partial{{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}};
  if (const json::object* metadata = FindObject(object, {"metadata"})) {
    partial["metadata"] = *metadata;
  }
  return partial;
}

json::object TableRow(const ServedKind& kind, const json::object& object, Time now,
                      std::string_view include_object) {
  json::object row;
  row["cells"] = kind.info.rules->Cells(object, now);
  json::array conditions = kind.info.rules->RowConditions(object);
  if (!conditions.empty()) row["conditions"] = std::move(conditions);
  if (include_object == "Object") {
    row["object"] = object;
  } else if (include_object == "None") {
    row["object"] = nullptr;
  } else {
    row["object"] = PartialMetadata(object);
  }
  return row;
}

std::string RenderOne(const ServedKind& kind, OutputFormat format, const json::object& object,
                      Time now, bool with_columns) {
  switch (format.shape) {
    case OutputFormat::Shape::kObject: return ToText(object);
    case OutputFormat::Shape::kPartialMetadata: return ToText(PartialMetadata(object));
    case OutputFormat::Shape::kTable: break;
  }
  json::object table{{"kind", "Table"}, {"apiVersion", "meta.k8s.io/v1"}};
  json::object metadata;
  metadata["resourceVersion"] = json::string(GetString(object, {"metadata", "resourceVersion"}));
  table["metadata"] = std::move(metadata);
  table["columnDefinitions"] = with_columns ? json::value(TableColumns(kind)) : json::value();
  table["rows"] = json::array{TableRow(kind, object, now, format.include_object)};
  return ToText(table);
}

}  // namespace basalt::apiserver
