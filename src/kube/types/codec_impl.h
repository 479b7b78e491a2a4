#pragma once

#include <optional>
#include <utility>

#include "base/function_ref.h"
#include "kube/types/codec.h"
#include "kube/types/json_reader.h"

// What codec.h declares, in terms of the ReadField of each kind. Only the codecs' .cc files include
// this; each ends with a BASALT_CODEC for its kinds.
namespace basalt::kube::json {

// Reads one object from its fields.
using ReadFn = FunctionRef<bool(Reader&, Object&)>;

Result<void> DecodeObject(std::string_view json, ReadFn read);
// Calls `done` after each item: with its error, where it could not be read.
Result<ListMeta> DecodeItems(std::string_view json, ReadFn read,
                             FunctionRef<void(std::optional<Error>)> done);
Result<WatchType> DecodeFrame(std::string_view frame, ReadFn read);

// Called once an object has been read; a kind that has something to tidy up overloads it (and is
// found through the reader).
template <class T>
void Finish(Reader&, T&) {}

template <class T>
bool ReadTop(Reader& reader, Object& object, T& out) {
  const bool ok = ReadFields(reader, object, [&](std::string_view key, Value& value) {
    if (key == "metadata") return Read(reader, value, out.meta);
    return ReadField(reader, key, value, out);
  });
  if (ok) Finish(reader, out);
  return ok;
}

}  // namespace basalt::kube::json

namespace basalt::kube {

template <class T>
Result<T> Decode(std::string_view json) {
  T object;
  const Result<void> done =
      json::DecodeObject(json, [&](json::Reader& reader, json::Object& fields) {
        return json::ReadTop(reader, fields, object);
      });
  if (!done) return std::unexpected(done.error());
  return object;
}

template <class T>
Result<ListMeta> DecodeList(std::string_view json, FunctionRef<void(Result<T>&&)> on_item) {
  std::optional<Result<T>> item;
  return json::DecodeItems(
      json,
      [&](json::Reader& reader, json::Object& fields) {
        return json::ReadTop(reader, fields, *item.emplace());
      },
      [&](std::optional<Error> error) {
        if (error) item.emplace(std::unexpected(*std::move(error)));
        on_item(*std::move(item));
      });
}

template <class T>
Result<WatchFrame> DecodeWatchFrame(std::string_view frame) {
  const auto object = std::make_shared<T>();
  const Result<WatchType> type =
      json::DecodeFrame(frame, [&](json::Reader& reader, json::Object& fields) {
        return json::ReadTop(reader, fields, *object);
      });
  if (!type) return std::unexpected(type.error());
  return WatchFrame{.type = *type, .object = object};
}

#define BASALT_CODEC(Type)                                                        \
  template Result<Type> Decode<Type>(std::string_view);                           \
  template Result<ListMeta> DecodeList<Type>(std::string_view,                    \
                                             FunctionRef<void(Result<Type> &&)>); \
  template Result<WatchFrame> DecodeWatchFrame<Type>(std::string_view)

}  // namespace basalt::kube
