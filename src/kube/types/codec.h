#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/function_ref.h"
#include "kube/types/kind_traits.h"
#include "kube/types/meta.h"

// From JSON to the types of this folder. Only the fields that the types know are looked at: unknown
// ones are skipped, null counts as absent, a value of the wrong type is an error that names its
// path ("spec.containers[1].resources.requests.cpu: …"). Nothing here writes JSON: writes are
// patches.
// Defined for every type in kind_traits.h (explicit instantiations; simdjson stays out of headers).
namespace basalt::kube {

// One object. Its apiVersion and kind are not looked at.
template <class T>
Result<T> Decode(std::string_view json);

// A list of objects. `on_item` gets each in turn, or, for one that cannot be decoded, an error that
// names it ("default/web-0: spec.priority: …"); the others still arrive. Only JSON that is broken
// or is no list fails the whole, possibly after some items were delivered.
template <class T>
Result<ListMeta> DecodeList(std::string_view json, FunctionRef<void(Result<T>&&)> on_item);

enum class WatchType { kAdded, kModified, kDeleted, kBookmark };

struct WatchFrame {
  WatchType type = WatchType::kAdded;
  AnyObject object;  // of a bookmark: only meta.resource_version

  template <class T>
  const T& As() const {
    return *static_cast<const T*>(object.get());
  }
};

// One frame of a watch: {"type": …, "object": …}. An ERROR frame is the Error that its Status says
// (kGone: list again). An object that cannot be decoded is kInvalid and named in the message. The
// frame's object is a T.
template <class T>
Result<WatchFrame> DecodeWatchFrame(std::string_view frame);

}  // namespace basalt::kube
