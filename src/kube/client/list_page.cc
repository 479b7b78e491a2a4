#include "kube/client/list_page.h"

#include <fmt/core.h>
#include <simdjson.h>

namespace basalt::kube {
namespace {

namespace ondemand = simdjson::ondemand;

// Absent and null are empty; any other type is an error.
simdjson::error_code ReadString(ondemand::object& object, std::string_view key, std::string& out) {
  ondemand::value value;
  const simdjson::error_code missing = object.find_field_unordered(key).get(value);
  if (missing == simdjson::NO_SUCH_FIELD) return simdjson::SUCCESS;
  if (missing) return missing;
  bool null = false;
  if (const auto failed = value.is_null().get(null)) return failed;
  if (null) return simdjson::SUCCESS;
  std::string_view text;
  if (const auto failed = value.get_string().get(text)) return failed;
  out = text;
  return simdjson::SUCCESS;
}

simdjson::error_code Read(std::string& body, ListPage& page) {
  body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  ondemand::parser parser;
  ondemand::document document;
  if (const auto failed = parser.iterate(body.data(), body.size(), body.capacity()).get(document)) {
    return failed;
  }
  ondemand::object list;
  if (const auto failed = document.get_object().get(list)) return failed;
  ondemand::object metadata;
  if (const auto failed = list.find_field_unordered("metadata").get_object().get(metadata)) {
    return failed;
  }
  if (const auto failed = ReadString(metadata, "resourceVersion", page.resource_version)) {
    return failed;
  }
  return ReadString(metadata, "continue", page.continue_token);
}

}  // namespace

Result<ListPage> ReadListPage(std::string& body) {
  ListPage page;
  if (const simdjson::error_code failed = Read(body, page)) {
    return Fail(ErrorCode::kInternal, fmt::format("the server's answer is not a list: {}",
                                                  simdjson::error_message(failed)));
  }
  return page;
}

}  // namespace basalt::kube
