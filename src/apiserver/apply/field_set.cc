#include <fmt/format.h>

#include "apiserver/apply/merge.h"
#include "apiserver/object/json_text.h"

namespace basalt::apiserver {
namespace {

// One element of a path as people read it.
std::string ShownElement(std::string_view element) {
  const std::string_view rest = element.substr(2);
  switch (element.front()) {
    case 'f': return fmt::format(".{}", rest);
    case 'v': return fmt::format("[={}]", rest);
    case 'i': return fmt::format("[{}]", rest);
    default: break;
  }
  std::string keys;
  const Result<json::value> parsed = ParseJson(rest);
  if (parsed && parsed->is_object()) {
    for (const auto& [key, value] : parsed->get_object()) {
      keys += fmt::format("{}{}={}", keys.empty() ? "" : ",", std::string_view(key), ToText(value));
    }
  }
  return fmt::format("[{}]", keys);
}

void AppendPaths(const FieldSet& set, const std::string& at, std::vector<std::string>& out) {
  for (const auto& [element, child] : set.children) {
    if (child.member) out.push_back(at + ShownElement(element));
  }
  for (const auto& [element, child] : set.children) {
    if (!child.children.empty()) AppendPaths(child, at + ShownElement(element), out);
  }
}

bool IsElement(std::string_view text) {
  return text.size() > 2 && text[1] == ':' &&
         std::string_view("fkvi").find(text[0]) != std::string_view::npos;
}

}  // namespace

const FieldSet* FieldSet::Find(std::string_view element) const {
  const auto found = children.find(element);
  return found == children.end() ? nullptr : &found->second;
}

FieldSet& FieldSet::operator|=(const FieldSet& other) {
  member = member || other.member;
  for (const auto& [element, child] : other.children) children[element] |= child;
  return *this;
}

FieldSet& FieldSet::operator&=(const FieldSet& other) {
  member = member && other.member;
  for (auto it = children.begin(); it != children.end();) {
    const FieldSet* theirs = other.Find(it->first);
    if (theirs != nullptr) it->second &= *theirs;
    it = theirs == nullptr || it->second.Empty() ? children.erase(it) : std::next(it);
  }
  return *this;
}

FieldSet& FieldSet::operator-=(const FieldSet& other) {
  member = member && !other.member;
  for (const auto& [element, child] : other.children) {
    const auto mine = children.find(element);
    if (mine == children.end()) continue;
    mine->second -= child;
    if (mine->second.Empty()) children.erase(mine);
  }
  return *this;
}

json::object FieldSet::ToFieldsV1() const {
  json::object fields;
  if (member && !children.empty()) fields["."] = json::object();
  for (const auto& [element, child] : children) fields[element] = child.ToFieldsV1();
  return fields;
}

FieldSet FieldSet::FromFieldsV1(const json::object& fields) {
  FieldSet set;
  for (const auto& [element, value] : fields) {
    if (element == ".") {
      set.member = true;
    } else if (IsElement(element) && value.is_object()) {
      FieldSet child = FromFieldsV1(value.get_object());
      if (child.Empty()) child.member = true;
      set.Add(std::string(element), std::move(child));
    }
  }
  return set;
}

std::vector<std::string> FieldSet::Paths() const {
  std::vector<std::string> paths;
  AppendPaths(*this, "", paths);
  return paths;
}

}  // namespace basalt::apiserver
