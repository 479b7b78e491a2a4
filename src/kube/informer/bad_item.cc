#include "kube/informer/bad_item.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <utility>

namespace basalt::kube {
namespace {

namespace json = boost::json;

std::string Text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? "" : std::string(*text);
}

const json::object* Child(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

ItemIdentity Identify(const json::object& object) {
  const json::object* meta = Child(object, "metadata");
  if (meta == nullptr) return {};
  return {.ns = Text(*meta, "namespace"),
          .name = Text(*meta, "name"),
          .uid = Text(*meta, "uid"),
          .resource_version = Text(*meta, "resourceVersion")};
}

Result<json::value> Parse(std::string_view text) {
  std::error_code bad;
  json::value value = json::parse(text, bad);
  if (bad) return Fail(ErrorCode::kInvalidArgument, "not JSON: " + bad.message());
  if (!value.is_object()) return Fail(ErrorCode::kInvalidArgument, "not a JSON object");
  return value;
}

}  // namespace

Result<FrameIdentity> IdentifyFrame(std::string_view frame) {
  const Result<json::value> value = Parse(frame);
  if (!value) return std::unexpected(value.error());
  FrameIdentity identity{.type = Text(value->get_object(), "type")};
  const json::object* object = Child(value->get_object(), "object");
  if (object != nullptr) identity.object = Identify(*object);
  return identity;
}

Result<std::vector<ItemIdentity>> IdentifyItems(std::string_view list) {
  const Result<json::value> value = Parse(list);
  if (!value) return std::unexpected(value.error());
  std::vector<ItemIdentity> identities;
  const json::value* items = value->get_object().if_contains("items");
  if (items == nullptr || !items->is_array()) return identities;
  for (const json::value& item : items->get_array()) {
    const json::object* object = item.if_object();
    identities.push_back(object ? Identify(*object) : ItemIdentity{});
  }
  return identities;
}

}  // namespace basalt::kube
