#include "kube/types/codec.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "kube/types/codec_impl.h"
#include "kube/types/item_identity.h"
#include "kube/types/status_body.h"
#include "kube/types/utf8.h"

namespace basalt::kube::json {
namespace {

// A parser with room for the input: simdjson reads a little past its end.
struct Workspace {
  simdjson::ondemand::parser parser;
  std::unique_ptr<char[]> input;
  std::size_t room = 0;
};

// Workspaces that are not in use, so that a callback may decode something else meanwhile.
thread_local std::vector<std::unique_ptr<Workspace>> idle_workspaces;

// Whether the bytes that simdjson reads past the end of `json` are on the last page of it, where
// reading does no harm: it does not look at their values. Sanitizers would complain.
bool PaddingIsReadable(std::string_view json) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  (void)json;
  return false;
#else
  constexpr std::uintptr_t kPage = 4096;
  const auto last = reinterpret_cast<std::uintptr_t>(json.data() + json.size() - 1);
  return last / kPage == (last + simdjson::SIMDJSON_PADDING) / kPage;
#endif
}

// What becomes of bytes that are no UTF-8. In a list or a watch they must not cost the others.
enum class BadUtf8 { kRefuse, kReplace };

// Holds a workspace, and one document in it.
class Document {
 public:
  explicit Document(std::string_view json, BadUtf8 bad_utf8 = BadUtf8::kRefuse) {
    if (idle_workspaces.empty()) {
      workspace_ = std::make_unique<Workspace>();
    } else {
      workspace_ = std::move(idle_workspaces.back());
      idle_workspaces.pop_back();
    }
    error_ = workspace_->parser.iterate(Padded(json)).get(document_);
    if (error_ == simdjson::UTF8_ERROR && bad_utf8 == BadUtf8::kReplace) {
      const simdjson::padded_string_view copy = Copy(json);
      ReplaceInvalidUtf8({workspace_->input.get(), json.size()});
      error_ = workspace_->parser.iterate(copy).get(document_);
    }
  }

  ~Document() {
    constexpr std::size_t kMostKept = 8 << 20;  // a page of a list, not a whole cluster
    if (workspace_->parser.capacity() <= kMostKept)
      idle_workspaces.push_back(std::move(workspace_));
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // The object that the document is. Once.
  bool Root(Reader& reader, Object& object) {
    if (error_) return reader.Broken(error_);
    const auto error = document_.get_object().get(object);
    if (error == simdjson::INCORRECT_TYPE) return reader.Fail("expected an object");
    if (error) return reader.Broken(error);
    return true;
  }

  // Nothing follows the object. Once it has been read.
  bool AtEnd(Reader& reader) {
    return document_.current_location().error() == simdjson::OUT_OF_BOUNDS ||
           reader.Broken(simdjson::TRAILING_CONTENT);
  }

 private:
  // The input where it is, if it is large enough for a copy to matter, or a copy with padding.
  simdjson::padded_string_view Padded(std::string_view json) {
    constexpr std::size_t kLarge = 64 << 10;
    if (json.size() >= kLarge && PaddingIsReadable(json)) {
      return simdjson::padded_string_view(json.data(), json.size(),
                                          json.size() + simdjson::SIMDJSON_PADDING);
    }
    return Copy(json);
  }

  simdjson::padded_string_view Copy(std::string_view json) {
    const std::size_t room = json.size() + simdjson::SIMDJSON_PADDING;
    if (workspace_->room < room) {
      workspace_->input = std::make_unique_for_overwrite<char[]>(room);
      workspace_->room = room;
    }
    char* const input = workspace_->input.get();
    std::memcpy(input, json.data(), json.size());
    std::memset(input + json.size(), ' ', simdjson::SIMDJSON_PADDING);
    return simdjson::padded_string_view(input, json.size(), room);
  }

  std::unique_ptr<Workspace> workspace_;
  simdjson::ondemand::document document_;
  simdjson::error_code error_ = simdjson::SUCCESS;
};

std::unexpected<Error> Refuse(const Reader& reader) {
  return Fail(ErrorCode::kInvalidArgument, reader.Message());
}

// Reads `object` from its start, whatever was read of it before. A field that is no text stays
// empty.
ItemIdentity Identify(Object& object) {
  ItemIdentity identity;
  bool empty = false;
  if (object.reset().get(empty)) return identity;
  Reader reader;
  const auto read_text = [&](Value& value, std::string& out) {
    return Read(reader, value, out) || !reader.broken();
  };
  ReadFields(reader, object, [&](std::string_view key, Value& value) {
    if (key != "metadata") return true;
    const bool ok = ReadObject(reader, value, [&](std::string_view field, Value& text) {
      if (field == "name") return read_text(text, identity.name);
      if (field == "namespace") return read_text(text, identity.ns);
      if (field == "uid") return read_text(text, identity.uid);
      if (field == "resourceVersion") return read_text(text, identity.resource_version);
      return true;
    });
    return ok || !reader.broken();
  });
  return identity;
}

std::string ItemPlace(std::size_t index) { return fmt::format("items[{}]", index); }

// "default/web-0: spec.priority: …", or with `place` where the object has no name.
Error NameItem(Object& object, const Reader& problem, std::string_view place) {
  const ItemIdentity identity = Identify(object);
  const Error error{.code = ErrorCode::kInvalid, .message = problem.Message()};
  if (!identity.name.empty()) return error.Wrap(ObjectKey(identity.ns, identity.name));
  return place.empty() ? error : error.Wrap(place);
}

}  // namespace

Result<void> DecodeObject(std::string_view json, ReadFn read) {
  Reader reader;
  Document document(json);
  Object root;
  if (!document.Root(reader, root) || !read(reader, root) || !document.AtEnd(reader)) {
    return Refuse(reader);
  }
  return {};
}

Result<ListMeta> DecodeItems(std::string_view json, ReadFn read,
                             FunctionRef<void(std::optional<Error>)> done) {
  Reader reader;
  Document document(json, BadUtf8::kReplace);
  Object root;
  ListMeta meta;
  std::string kind;
  bool has_items = false;

  std::size_t count = 0;
  const auto read_item = [&](Value& element) {
    const std::size_t index = count++;
    Object object;
    if (element.get_object().get(object)) {
      reader.WrongType(element, "an object");
      done(Error{.code = ErrorCode::kInvalid, .message = reader.Message()}.Wrap(ItemPlace(index)));
      return true;
    }
    if (read(reader, object)) {
      done(std::nullopt);
      return true;
    }
    if (reader.broken()) return false;
    done(NameItem(object, reader, ItemPlace(index)));
    return true;
  };
  const bool ok = document.Root(reader, root) &&
                  ReadFields(reader, root,
                             [&](std::string_view key, Value& value) {
                               if (key == "kind") return Read(reader, value, kind);
                               if (key == "metadata") return Read(reader, value, meta);
                               if (key != "items") return true;
                               has_items = true;
                               return ReadArray(reader, value, read_item);
                             }) &&
                  document.AtEnd(reader);
  if (!ok) return Refuse(reader);
  // An empty list may come without its items.
  if (!has_items && !kind.ends_with("List")) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("expected a list, not a {}", kind));
  }
  return meta;
}

Result<WatchType> DecodeFrame(std::string_view frame, ReadFn read) {
  Reader reader;
  Document document(frame, BadUtf8::kReplace);
  Object root;
  if (!document.Root(reader, root)) return Refuse(reader);

  Value value;
  std::string type;
  if (root.find_field_unordered("type").get(value) || !Read(reader, value, type)) {
    return Fail(ErrorCode::kInvalidArgument, "a watch frame without a type");
  }
  Object object;
  if (root.find_field_unordered("object").get(value) || value.get_object().get(object)) {
    return Fail(ErrorCode::kInvalidArgument, "a watch frame without an object");
  }
  if (type == "ERROR") {
    StatusBody status;
    const bool ok = ReadFields(reader, object, [&](std::string_view key, Value& field) {
      return ReadField(reader, key, field, status);
    });
    if (!ok) return Refuse(reader);
    return std::unexpected(status.ToError(0));
  }
  static constexpr std::pair<std::string_view, WatchType> kTypes[] = {
      {"ADDED", WatchType::kAdded},
      {"MODIFIED", WatchType::kModified},
      {"DELETED", WatchType::kDeleted},
      {"BOOKMARK", WatchType::kBookmark},
  };
  for (const auto& [name, meaning] : kTypes) {
    if (name != type) continue;
    if (read(reader, object)) return meaning;
    if (reader.broken()) return Refuse(reader);
    return std::unexpected(NameItem(object, reader, ""));
  }
  return Fail(ErrorCode::kInvalidArgument, fmt::format("a watch frame of unknown type '{}'", type));
}

}  // namespace basalt::kube::json

namespace basalt::kube {

Result<FrameIdentity> IdentifyFrame(std::string_view frame) {
  json::Reader reader;
  json::Document document(frame, json::BadUtf8::kReplace);
  json::Object root;
  if (!document.Root(reader, root)) return json::Refuse(reader);
  FrameIdentity identity;
  const bool ok = json::ReadFields(reader, root, [&](std::string_view key, json::Value& value) {
    json::Object object;
    if (key == "type" && !json::Read(reader, value, identity.type)) return !reader.broken();
    if (key == "object" && !value.get_object().get(object)) {
      identity.object = json::Identify(object);
    }
    return true;
  });
  if (!ok) return json::Refuse(reader);
  return identity;
}

std::vector<ItemIdentity> IdentifyItems(std::string_view list) {
  std::vector<ItemIdentity> identities;
  json::Reader reader;
  json::Document document(list, json::BadUtf8::kReplace);
  json::Object root;
  if (!document.Root(reader, root)) return identities;
  json::ReadFields(reader, root, [&](std::string_view key, json::Value& value) {
    if (key != "items") return true;
    return json::ReadArray(reader, value, [&](json::Value& element) {
      json::Object object;
      const bool is_object = !element.get_object().get(object);
      identities.push_back(is_object ? json::Identify(object) : ItemIdentity{});
      return true;
    });
  });
  return identities;
}

}  // namespace basalt::kube
