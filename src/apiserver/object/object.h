#pragma once

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "kube/types/time.h"

// Reading and writing objects as JSON documents. Reading never fails: what is missing or of another
// type is empty. This is what all of the server speaks: with it come Boost.JSON's values, and the
// standard library's texts, lists and pointers.
namespace basalt::apiserver {

namespace json = boost::json;
using FieldPath = std::initializer_list<std::string_view>;

const json::value* Find(const json::object& object, FieldPath path);
const json::object* FindObject(const json::object& object, FieldPath path);
const json::array* FindArray(const json::object& object, FieldPath path);
inline json::value* Find(json::object& object, FieldPath path) {
  return const_cast<json::value*>(Find(std::as_const(object), path));
}
inline json::object* FindObject(json::object& object, FieldPath path) {
  return const_cast<json::object*>(FindObject(std::as_const(object), path));
}
inline json::array* FindArray(json::object& object, FieldPath path) {
  return const_cast<json::array*>(FindArray(std::as_const(object), path));
}
// An empty list where there is none.
const json::array& ListAt(const json::object& object, FieldPath path);
// A view into the object.
std::string_view GetString(const json::object& object, FieldPath path);
std::int64_t GetInt(const json::object& object, FieldPath path, std::int64_t otherwise = 0);
bool GetBool(const json::object& object, FieldPath path, bool otherwise = false);

// A value that came with a request as what it should be: empty where it is something else. These,
// and not boost's as_…(), are for what a client sent: those throw.
const json::object& AsObject(const json::value& value);
inline std::string_view AsText(const json::value& value) {
  return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}
// The same to be written to: made an object where it is none.
inline json::object& AsObject(json::value& value) {
  return value.is_object() ? value.get_object() : value.emplace_object();
}

// The object under `key`, made where it is missing or not an object.
inline json::object& Child(json::object& object, std::string_view key) {
  return AsObject(object[key]);
}
inline json::object& Metadata(json::object& object) { return Child(object, "metadata"); }

inline std::string_view Name(const json::object& object) {
  return GetString(object, {"metadata", "name"});
}
inline std::string_view Namespace(const json::object& object) {
  return GetString(object, {"metadata", "namespace"});
}
inline std::string_view Uid(const json::object& object) {
  return GetString(object, {"metadata", "uid"});
}
inline bool IsBeingDeleted(const json::object& object) {
  return Find(object, {"metadata", "deletionTimestamp"}) != nullptr;
}

// A copy in the same buffer as the original, which is cheaper than one of its own.
inline json::object CopyNear(const json::object& object) {
  return json::object(object, object.storage());
}

// Whether anything but metadata and status differs: what a generation counts.
bool DesiredStateDiffers(const json::object& a, const json::object& b);
// metadata.generation: that of `old`, and one more where what is desired has changed.
inline void CountGeneration(json::object& object, const json::object& old, bool changed) {
  Metadata(object)["generation"] = GetInt(old, {"metadata", "generation"}) + (changed ? 1 : 0);
}

// Puts `field` back to what `old` has.
void Restore(json::object& object, const json::object& old, std::string_view field);

// Puts a condition into status.conditions, in place of the one of its type if there is one. The
// time of its last transition stays where its status does.
void SetCondition(json::object& status, json::object condition);

using kube::FormatTime;

// Times that may lie anywhere: what an int64 of nanoseconds cannot hold stops at its ends.

inline Duration OfNanos(__int128 nanos) {
  using Limits = std::numeric_limits<std::int64_t>;
  return Duration(
      static_cast<std::int64_t>(std::clamp<__int128>(nanos, Limits::min(), Limits::max())));
}

// `to - from` and `time + seconds`.
inline Duration Between(Time from, Time to) {
  return OfNanos(__int128{to.time_since_epoch().count()} - from.time_since_epoch().count());
}
inline Time After(Time time, std::int64_t seconds) {
  return Time(OfNanos(time.time_since_epoch().count() + __int128{seconds} * 1'000'000'000));
}

}  // namespace basalt::apiserver
