#pragma once

// How the codecs read JSON, on simdjson's on-demand parser. Only the codecs' .cc files include
// this: it is heavy.
//
// Read(reader, value, out) reads one value into `out`. It returns false once something is wrong;
// the reader then knows what, and each caller on the way out puts its key in front of the path. A
// struct is read by a ReadField(reader, key, value, struct&), which ignores the keys that it does
// not know.

// simdjson's own checks cost a third of the speed; builds with a sanitizer keep its assertions.
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#if !defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
#define NDEBUG
#include <simdjson.h>
#undef NDEBUG
#else
#include <simdjson.h>
#endif

#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "kube/types/boxed.h"
#include "kube/types/meta.h"
#include "kube/types/quantity.h"
#include "kube/types/resource_list.h"
#include "kube/types/selector.h"
#include "kube/types/shared_list.h"
#include "kube/types/string_map.h"

namespace basalt::kube::json {

using Value = simdjson::ondemand::value;
using Object = simdjson::ondemand::object;

// Remembers what went wrong, and where. All its functions return false, for callers to return.
// Lives on the stack while one text is decoded; one thread.
class Reader {
 public:
  bool Fail(std::string what);
  bool WrongType(Value& value, std::string_view expected);
  bool BadText(simdjson::error_code error);
  // The JSON itself is broken: nothing after this point can be read.
  bool Broken(simdjson::error_code error);
  // Puts the key or index in front of the path.
  bool In(std::string_view key);
  bool In(std::size_t index);

  bool broken() const { return broken_; }
  // "spec.replicas: expected an integer, not a string".
  std::string Message() const;

  std::vector<StringMap::Entry>& scratch() { return scratch_; }

 private:
  std::string what_;
  std::string path_;
  bool broken_ = false;
  std::vector<StringMap::Entry> scratch_;  // of maps
};

// The text of a string's token, quotes and all, where it has no escapes: then it can be used in
// place.
inline bool PlainText(std::string_view token, std::string_view& text) {
  while (token.size() > 2 && token.back() != '"') token.remove_suffix(1);  // white space after it
  if (token.size() < 2) return false;
  text = token.substr(1, token.size() - 2);
  return text.find('\\') == std::string_view::npos;
}

inline bool ReadText(Reader& reader, Value& value, std::string_view& out) {
  const std::string_view token = value.raw_json_token();
  if (token.empty() || token[0] != '"') return reader.WrongType(value, "a string");
  if (PlainText(token, out)) {
    simdjson::ondemand::raw_json_string consumed;
    if (const auto error = value.get_raw_json_string().get(consumed)) return reader.Broken(error);
    return true;
  }
  // An escape that means nothing spoils this text, not what follows it.
  if (const auto error = value.get_string().get(out)) return reader.BadText(error);
  return true;
}

// Calls `on_field(key, value)` for each field that is not null.
template <class OnField>
bool ReadFields(Reader& reader, Object& object, OnField&& on_field) {
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(result).get(field)) return reader.Broken(error);
    const char* const raw_key = field.key().raw();
    std::size_t length = 0;
    while (raw_key[length] != '"' && raw_key[length] != '\\') ++length;
    std::string_view key(raw_key, length);
    if (raw_key[length] == '\\') {
      if (const auto error = field.unescaped_key().get(key)) return reader.BadText(error);
    }
    Value& value = field.value();
    const std::string_view token = value.raw_json_token();
    if (!token.empty() && token[0] == 'n') {
      bool null = false;
      if (!value.is_null().get(null) && null) continue;
    }
    if (!on_field(key, value)) return reader.In(key);
  }
  return true;
}

template <class OnField>
bool ReadObject(Reader& reader, Value& value, OnField&& on_field) {
  Object object;
  if (value.get_object().get(object)) return reader.WrongType(value, "an object");
  return ReadFields(reader, object, on_field);
}

// Calls `on_element(value)` for each element that is not null.
template <class OnElement>
bool ReadArray(Reader& reader, Value& value, OnElement&& on_element) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array)) return reader.WrongType(value, "a list");
  std::size_t index = 0;
  for (auto result : array) {
    Value element;
    if (const auto error = std::move(result).get(element)) return reader.Broken(error);
    const std::string_view token = element.raw_json_token();
    bool null = false;
    if (!token.empty() && token[0] == 'n' && element.is_null().get(null)) null = false;
    if (!null && !on_element(element)) return reader.In(index);
    ++index;
  }
  return true;
}

// Scalars and the types that every kind uses.
bool Read(Reader& reader, Value& value, std::string& out);
bool Read(Reader& reader, Value& value, bool& out);
bool Read(Reader& reader, Value& value, std::int32_t& out);
bool Read(Reader& reader, Value& value, std::int64_t& out);
bool Read(Reader& reader, Value& value, Time& out);
bool Read(Reader& reader, Value& value, Duration& out);
bool Read(Reader& reader, Value& value, Quantity& out);
bool Read(Reader& reader, Value& value, StringMap& out);
bool Read(Reader& reader, Value& value, ResourceList& out);
bool Read(Reader& reader, Value& value, IntOrString& out);
bool Read(Reader& reader, Value& value, LabelSelector& out);
bool Read(Reader& reader, Value& value, NodeSelector& out);
bool Read(Reader& reader, Value& value, ConditionStatus& out);
bool Read(Reader& reader, Value& value, std::vector<std::pair<std::string, std::int32_t>>& out);

bool ReadField(Reader& reader, std::string_view key, Value& value, ObjectMeta& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, OwnerReference& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, ObjectReference& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, Condition& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, ListMeta& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, NodeSelectorTerm& out);
bool ReadField(Reader& reader, std::string_view key, Value& value, NodeSelectorRequirement& out);

template <class T>
concept HasFields = requires(Reader& reader, std::string_view key, Value& value, T& out) {
  { ReadField(reader, key, value, out) } -> std::same_as<bool>;
};

template <HasFields T>
bool Read(Reader& reader, Value& value, T& out) {
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    return ReadField(reader, key, field, out);
  });
}

template <class T>
bool Read(Reader& reader, Value& value, std::optional<T>& out) {
  return Read(reader, value, out.emplace());
}

template <class T>
bool Read(Reader& reader, Value& value, Boxed<T>& out) {
  return Read(reader, value, out.emplace());
}

// The elements are gathered on a stack first, so that the list is allocated once and fits exactly.
template <class T>
bool Read(Reader& reader, Value& value, std::vector<T>& out) {
  thread_local std::vector<T> stack;
  const std::size_t bottom = stack.size();
  const bool ok = ReadArray(reader, value, [&](Value& element) {
    return Read(reader, element, stack.emplace_back());  // no T holds a list of T
  });
  const auto from = stack.begin() + static_cast<std::ptrdiff_t>(bottom);
  if (ok) {
    out = std::vector<T>(std::make_move_iterator(from), std::make_move_iterator(stack.end()));
  }
  stack.erase(from, stack.end());
  return ok;
}

template <class T>
bool Read(Reader& reader, Value& value, SharedList<T>& out) {
  std::vector<T> items;
  if (!Read(reader, value, items)) return false;
  out = SharedList<T>(std::move(items));
  return true;
}

// A string that stands for one of a few values; `other` where it is none of them.
template <class E, std::size_t kCount>
bool ReadEnum(Reader& reader, Value& value, E& out,
              const std::pair<std::string_view, E> (&names)[kCount], E other) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  out = other;
  for (const auto& [name, meaning] : names) {
    if (name == text) out = meaning;
  }
  return true;
}

// Whether a string is `expected`.
inline bool ReadIs(Reader& reader, Value& value, std::string_view expected, bool& out) {
  std::string_view text;
  if (!ReadText(reader, value, text)) return false;
  out = text == expected;
  return true;
}

}  // namespace basalt::kube::json
