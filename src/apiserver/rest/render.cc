#include <fmt/format.h>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/read.h"

namespace basalt::apiserver {
namespace {

using Shape = OutputFormat::Shape;

json::array TableColumns(const ServedKind& kind) {
  json::array columns;
  for (const TableColumn& column : kind.info.rules->Columns()) {
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"format", column.format},
                       {"description", column.description},
                       {"priority", column.priority}});
  }
  return columns;
}

json::object PartialMetadata(const json::object& object) {
  json::object partial{{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}};
  if (const json::value* metadata = object.if_contains("metadata")) partial["metadata"] = *metadata;
  return partial;
}

json::object TableRow(const ServedKind& kind, const json::object& object, Time now,
                      std::string_view include_object) {
  json::object row{{"cells", kind.info.rules->Cells(object, now)}, {"object", nullptr}};
  json::array conditions = kind.info.rules->RowConditions(object);
  if (!conditions.empty()) row["conditions"] = std::move(conditions);
  if (include_object != "None") {
    row["object"] = include_object == "Object" ? object : PartialMetadata(object);
  }
  return row;
}

}  // namespace

json::object RenderEmpty(const ServedKind& kind, const OutputFormat& format, json::object metadata,
                         bool with_columns) {
  json::object out = PartialMetadata({{"metadata", std::move(metadata)}});
  if (format.shape == Shape::kObject) {
    out["kind"] = kind.info.kind;
    out["apiVersion"] = kind.info.ApiVersion();
  } else if (format.shape == Shape::kTable) {
    out["kind"] = "Table";
    out["columnDefinitions"] = with_columns ? json::value(TableColumns(kind)) : json::value();
    out["rows"] = json::array();
  }
  return out;
}

std::string RenderOne(const ServedKind& kind, const OutputFormat& format,
                      const json::object& object, Time now, bool with_columns) {
  if (format.shape == Shape::kObject) return ToText(object);
  if (format.shape == Shape::kPartialMetadata) return ToText(PartialMetadata(object));
  json::object table = RenderEmpty(
      kind, format, {{"resourceVersion", GetString(object, {"metadata", "resourceVersion"})}},
      with_columns);
  table["rows"].as_array().push_back(TableRow(kind, object, now, format.include_object));
  return ToText(table);
}

std::string RenderList(const ServedKind& kind, const OutputFormat& format, const Page& page,
                       Time now) {
  const bool whole = format.shape == Shape::kObject;
  const bool table = format.shape == Shape::kTable;
  std::size_t size = 256;
  for (const StoredPtr& object : page.objects) size += object->text.size() + 64;
  std::string out;
  out.reserve(size);
  out += fmt::format(R"({{"kind":{},"apiVersion":{},"metadata":{{"resourceVersion":"{}")",
                     Quoted(whole   ? kind.info.list_kind
                            : table ? "Table"
                                    : "PartialObjectMetadataList"),
                     Quoted(whole ? kind.info.ApiVersion() : "meta.k8s.io/v1"), page.version);
  if (!page.continue_token.empty() || (whole && kind.custom != nullptr)) {
    out += fmt::format(",\"continue\":{}", Quoted(page.continue_token));
  }
  if (page.remaining > 0) out += fmt::format(",\"remainingItemCount\":{}", page.remaining);
  out += table ? fmt::format("}},\"columnDefinitions\":{},\"rows\":[", ToText(TableColumns(kind)))
               : "},\"items\":[";
  for (const StoredPtr& object : page.objects) {
    if (whole) {
      kind.AppendItem(out, *object);
    } else if (table) {
      AppendJson(out, TableRow(kind, kind.Load(*object), now, format.include_object));
    } else {
      AppendJson(out, PartialMetadata(kind.Load(*object)));
    }
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += "]}";
  return out;
}

}  // namespace basalt::apiserver
