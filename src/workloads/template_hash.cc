#include "workloads/template_hash.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>
#include <vector>

#include "workloads/child_object.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

// Keys sorted, nulls left out (the API server drops them).
void Write(const json::value& value, std::string& out) {
  if (const json::object* object = value.if_object()) {
    std::vector<const json::key_value_pair*> members;
    for (const auto& member : *object) {
      if (!member.value().is_null()) members.push_back(&member);
    }
    std::sort(members.begin(), members.end(),
              [](const auto* a, const auto* b) { return a->key() < b->key(); });
    out += '{';
    for (const auto* member : members) {
      out += json::serialize(json::value(member->key()));
      out += ':';
      Write(member->value(), out);
      out += ',';
    }
    out += '}';
  } else if (const json::array* array = value.if_array()) {
    out += '[';
    for (const json::value& item : *array) {
      Write(item, out);
      out += ',';
    }
    out += ']';
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::string CanonicalTemplate(const kube::PodTemplate& pod_template) {
  json::object root = ParseTemplate(pod_template);
  json::object& labels = Child(Child(root, "metadata"), "labels");
  labels.erase(kTemplateHashLabel);
  std::string out;
  Write(json::value(std::move(root)), out);
  return out;
}

std::string TemplateHash(const std::string& canonical, std::int32_t collisions) {
  std::string text = canonical;
  if (collisions > 0) text += "#" + std::to_string(collisions);
  return NameSuffix(StableHash(text), 10);
}

}  // namespace basalt::workloads
