#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/patch/patch.h"
#include "kube/types/integer.h"

namespace basalt::apiserver {
namespace {

// About half a second's work.
constexpr std::size_t kMostShifted = 100'000'000;

// What a path (RFC 6901) leads to; null: nothing.
json::value* Follow(json::value& document, std::string_view path) {
  boost::system::error_code error;
  return document.find_pointer(path, error);
}

// "/a~1b/0" is "0" in "/a~1b".
std::pair<std::string_view, std::string> SplitPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return {"no path", ""};
  std::string name(path.substr(slash + 1));
  boost::replace_all(name, "~1", "/");
  boost::replace_all(name, "~0", "~");
  return {path.substr(0, slash), std::move(name)};
}

// Every number of ours is an integer or a double; 1 and 1.0 are the same to a test.
bool SameValue(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return a.to_number<double>() == b.to_number<double>();
  return a == b;
}

// One patch at work on one document, and what it may still spend. Everything says whether it could
// be done.
class Patcher {
 public:
  explicit Patcher(json::value& document) : document_(document) {}

  bool Apply(const json::object& operation) {
    const std::string_view op = GetString(operation, {"op"});
    const std::string_view from = GetString(operation, {"from"});
    const json::value* path = operation.if_contains("path");
    if (path == nullptr || !path->is_string()) return false;
    const std::string_view to = path->get_string();
    const json::value* value = operation.if_contains("value");
    if (op == "remove") return Remove(to, nullptr);
    if (op == "add") return value != nullptr && Add(to, *value);
    if (op == "replace") return value != nullptr && Replace(to, *value);
    if (op == "move" || op == "copy") return operation.contains("from") && Transfer(from, to, op);
    const json::value nothing;
    const json::value* there = Follow(document_, to);
    return op == "test" &&
           SameValue(there == nullptr ? nothing : *there, value == nullptr ? nothing : *value);
  }

 private:
  bool Add(std::string_view path, json::value value) {
    if (!NestsWell(path, value)) return false;
    if (path.empty()) {
      document_ = std::move(value);
      return true;
    }
    const auto [around, name] = SplitPath(path);
    json::value* parent = Follow(document_, around);
    if (parent == nullptr) return false;
    if (json::object* object = parent->if_object()) {
      (*object)[name] = std::move(value);
      return true;
    }
    json::array* array = parent->if_array();
    if (array == nullptr) return false;
    const auto size = static_cast<std::int64_t>(array->size());
    const std::int64_t index = name == "-" ? size : kube::ParseInt64(name).value_or(-1);
    if (index < 0 || index > size || !Shift(size - index)) return false;
    array->insert(array->begin() + index, std::move(value));
    return true;
  }

  // Takes the value out; where `taken` is not null it goes there.
  bool Remove(std::string_view path, json::value* taken) {
    const auto [around, name] = SplitPath(path);
    json::value* parent = Follow(document_, around);
    json::value* gone = Follow(document_, path);
    if (parent == nullptr || gone == nullptr) return false;
    if (taken != nullptr) *taken = std::move(*gone);
    if (json::object* object = parent->if_object()) return object->erase(name) > 0;
    json::array& array = parent->get_array();
    const std::ptrdiff_t index = gone - array.data();
    if (!Shift(static_cast<std::int64_t>(array.size()) - index)) return false;
    array.erase(array.begin() + index);
    return true;
  }

  bool Replace(std::string_view path, const json::value& value) {
    json::value* there = Follow(document_, path);
    if (there == nullptr || !NestsWell(path, value)) return false;
    *there = value;
    return true;
  }

  bool Transfer(std::string_view from, std::string_view to, std::string_view op) {
    json::value* source = Follow(document_, from);
    if (source == nullptr) return false;
    if (op == "copy") {
      copied_ += ToText(*source).size();
      return copied_ <= kMostCopied && Add(to, json::value(*source, document_.storage()));
    }
    json::value moved(document_.storage());  // the same storage, so that nothing is copied
    return Remove(from, &moved) && Add(to, std::move(moved));
  }

  static bool NestsWell(std::string_view path, const json::value& value) {
    const auto depth = static_cast<std::size_t>(std::ranges::count(path, '/'));
    return depth + MeasureJson(value).depth <= kMostDepth;
  }

  // Elements of a list that make room or close a gap.
  bool Shift(std::int64_t elements) {
    shifted_ += static_cast<std::size_t>(elements);
    return shifted_ <= kMostShifted;
  }

  json::value& document_;
  std::size_t copied_ = 0;
  std::size_t shifted_ = 0;
};

}  // namespace

Result<void> ApplyJsonPatch(const json::array& patch, json::value& document) {
  if (patch.size() > kMostPatchOperations) {
    return Fail(ErrorCode::kInvalidArgument, "the patch has too many operations");
  }
  Patcher patcher(document);
  for (const json::value& item : patch) {
    const json::object& operation = AsObject(item);
    if (patcher.Apply(operation)) continue;
    return Fail(ErrorCode::kInvalid,
                fmt::format("the operation {} on {} does not apply", GetString(operation, {"op"}),
                            GetString(operation, {"path"})));
  }
  return {};
}

void ApplyMergePatch(const json::value& patch, json::value& document) {
  if (!patch.is_object()) {
    document = patch;
    return;
  }
  if (!document.is_object()) document.emplace_object();
  json::object& target = document.get_object();
  for (const auto& [key, value] : patch.get_object()) {
    if (value.is_null()) {
      target.erase(key);
    } else {
      ApplyMergePatch(value, target[key]);
    }
  }
}

}  // namespace basalt::apiserver
