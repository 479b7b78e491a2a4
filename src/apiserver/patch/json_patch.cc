#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/object/json_text.h"
#include "apiserver/patch/patch.h"

namespace basalt::apiserver {
namespace {

// About half a second's work.
constexpr std::size_t kMostShifted = 100'000'000;

// RFC 6901: "/a~1b/0" is {"a/b", "0"}.
using Pointer = std::vector<std::string>;

Result<Pointer> ParsePointer(std::string_view text) {
  Pointer pointer;
  if (text.empty()) return pointer;
  if (text.front() != '/') {
    return Fail(ErrorCode::kInvalid, fmt::format("path {} does not start with /", text));
  }
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t slash = text.find('/');
    std::string token;
    for (std::size_t i = 0; i < std::min(slash, text.size()); ++i) {
      if (text[i] == '~' && i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1')) {
        token += text[++i] == '0' ? '~' : '/';
      } else {
        token += text[i];
      }
    }
    pointer.push_back(std::move(token));
    text.remove_prefix(slash == std::string_view::npos ? text.size() : slash);
  }
  return pointer;
}

std::unexpected<Error> Missing(const Pointer& pointer) {
  std::string path;
  for (const std::string& token : pointer) path += "/" + token;
  return Fail(ErrorCode::kInvalid, fmt::format("path {} does not exist", path));
}

// An index into a list of `size`; "-" and `size` itself are one past the end. A negative index
// counts from the end, as the library that Kubernetes uses has it.
std::optional<std::size_t> ParseIndex(std::string_view token, std::size_t size) {
  if (token == "-") return size;
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index > static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

json::value* Step(json::value& at, std::string_view token) {
  if (json::object* object = at.if_object()) return object->if_contains(token);
  if (json::array* array = at.if_array()) {
    const std::optional<std::size_t> index = ParseIndex(token, array->size());
    return index && *index < array->size() ? &(*array)[*index] : nullptr;
  }
  return nullptr;
}

json::value* Walk(json::value& document, const Pointer& pointer, std::size_t steps) {
  json::value* at = &document;
  for (std::size_t i = 0; i < steps && at != nullptr; ++i) at = Step(*at, pointer[i]);
  return at;
}

std::unexpected<Error> TooMuch(std::string_view what) {
  return Fail(ErrorCode::kInvalid, fmt::format("the patch {}", what));
}

// Every number of ours is an integer or a double; 1 and 1.0 are the same to a test.
bool SameValue(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return a.to_number<double>() == b.to_number<double>();
  return a == b;
}

// One patch at work on one document, and what it may still spend.
class Patcher {
 public:
  explicit Patcher(json::value& document) : document_(document) {}

  Result<void> Apply(const json::object& operation);

 private:
  Result<void> Add(const Pointer& pointer, json::value value);
  // Takes the value out; where `taken` is not null it goes there.
  Result<void> Remove(const Pointer& pointer, json::value* taken = nullptr);
  Result<void> Transfer(const Pointer& from, const Pointer& to, bool copy);
  // Elements of a list that make room or close a gap.
  Result<void> Shift(std::size_t elements);

  json::value& document_;
  std::size_t copied_ = 0;
  std::size_t shifted_ = 0;
};

Result<void> Patcher::Shift(std::size_t elements) {
  shifted_ += elements;
  if (shifted_ > kMostShifted) return TooMuch("moves too many elements of lists");
  return {};
}

Result<void> Patcher::Add(const Pointer& pointer, json::value value) {
  if (pointer.size() + MeasureJson(value).depth > kMostDepth) return TooMuch("nests too deep");
  if (pointer.empty()) {
    document_ = std::move(value);
    return {};
  }
  json::value* parent = Walk(document_, pointer, pointer.size() - 1);
  if (parent == nullptr) return Missing(pointer);
  if (json::object* object = parent->if_object()) {
    (*object)[pointer.back()] = std::move(value);
    return {};
  }
  if (json::array* array = parent->if_array()) {
    const std::optional<std::size_t> index = ParseIndex(pointer.back(), array->size());
    if (!index) return Missing(pointer);
    if (Result<void> shifted = Shift(array->size() - *index); !shifted) return shifted;
    array->insert(array->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return {};
  }
  return Missing(pointer);
}

Result<void> Patcher::Remove(const Pointer& pointer, json::value* taken) {
  if (pointer.empty()) return Fail(ErrorCode::kInvalid, "the whole document cannot be removed");
  json::value* parent = Walk(document_, pointer, pointer.size() - 1);
  json::value* gone = parent == nullptr ? nullptr : Step(*parent, pointer.back());
  if (gone == nullptr) return Missing(pointer);
  if (taken != nullptr) *taken = std::move(*gone);
  if (json::object* object = parent->if_object()) {
    object->erase(pointer.back());
    return {};
  }
  json::array& array = parent->get_array();
  const std::size_t index = static_cast<std::size_t>(gone - array.data());
  if (Result<void> shifted = Shift(array.size() - index); !shifted) return shifted;
  array.erase(array.begin() + static_cast<std::ptrdiff_t>(index));
  return {};
}

Result<void> Patcher::Transfer(const Pointer& from, const Pointer& to, bool copy) {
  json::value* source = Walk(document_, from, from.size());
  if (source == nullptr) return Missing(from);
  if (copy) {
    copied_ += ToText(*source).size();
    if (copied_ > kMostCopied) return TooMuch("copies too much");
    return Add(to, json::value(*source, document_.storage()));
  }
  json::value moved(document_.storage());  // the same storage, so that nothing is copied
  if (Result<void> removed = Remove(from, &moved); !removed) return removed;
  return Add(to, std::move(moved));
}

Result<void> Patcher::Apply(const json::object& operation) {
  const auto text = [&operation](std::string_view key) -> std::optional<std::string> {
    const json::value* value = operation.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
  };
  const std::optional<std::string> op = text("op");
  const std::optional<std::string> path = text("path");
  if (!op || !path) return Fail(ErrorCode::kInvalid, "an operation needs op and path");
  const Result<Pointer> to = ParsePointer(*path);
  if (!to) return std::unexpected(to.error());
  const json::value* value = operation.if_contains("value");

  if (*op == "remove") return Remove(*to);
  if (*op == "add" || *op == "replace" || *op == "test") {
    if (value == nullptr && *op != "test") {
      return Fail(ErrorCode::kInvalid, fmt::format("{} needs a value", *op));
    }
    if (*op == "add") return Add(*to, *value);
    json::value* target = Walk(document_, *to, to->size());
    if (*op == "test") {
      const json::value nothing;
      const bool same =
          SameValue(target == nullptr ? nothing : *target, value == nullptr ? nothing : *value);
      if (!same) return Fail(ErrorCode::kInvalid, fmt::format("testing path {} failed", *path));
      return {};
    }
    if (target == nullptr) return Missing(*to);
    if (to->size() + MeasureJson(*value).depth > kMostDepth) return TooMuch("nests too deep");
    *target = *value;
    return {};
  }
  if (*op == "move" || *op == "copy") {
    const std::optional<std::string> from_text = text("from");
    if (!from_text) return Fail(ErrorCode::kInvalid, fmt::format("{} needs from", *op));
    const Result<Pointer> from = ParsePointer(*from_text);
    if (!from) return std::unexpected(from.error());
    return Transfer(*from, *to, *op == "copy");
  }
  return Fail(ErrorCode::kInvalid, fmt::format("unknown operation {}", *op));
}

}  // namespace

Result<void> ApplyJsonPatch(const json::array& patch, json::value& document) {
  if (patch.size() > kMostPatchOperations) {
    return Fail(ErrorCode::kInvalidArgument, "the patch has too many operations");
  }
  Patcher patcher(document);
  for (const json::value& item : patch) {
    if (!item.is_object()) {
      return Fail(ErrorCode::kInvalidArgument, "an operation of a JSON patch is an object");
    }
    if (Result<void> applied = patcher.Apply(item.get_object()); !applied) return applied;
  }
  return {};
}

}  // namespace basalt::apiserver
