#include "apiserver/protobuf/decode_body.h"

#include <fmt/format.h>

#include <bit>
#include <boost/json/array.hpp>
#include <string>
#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/kube_time.h"
#include "apiserver/protobuf/field_numbers.h"
#include "apiserver/protobuf/wire_reader.h"
#include "apiserver/schema/builtin_types.h"
#include "base/base64.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

namespace json = boost::json;
using Kind = TypeSchema::Kind;

constexpr std::string_view kMagic("k8s\0", 4);
// Far deeper than any built-in type nests.
constexpr int kMaxDepth = 64;

std::unexpected<Error> Broken(std::string_view what) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("proto: {}", what));
}

// What the small messages of apimachinery hold: numbers and texts by field number.
struct Scalars {
  std::int64_t numbers[4] = {};
  std::string_view texts[4];
};

Result<Scalars> ReadScalars(std::string_view bytes) {
  Scalars scalars;
  WireReader reader(bytes);
  while (const std::optional<WireField> field = reader.Next()) {
    if (field->number >= 4) continue;
    if (field->type == WireField::Type::kBytes) {
      scalars.texts[field->number] = field->bytes;
    } else {
      scalars.numbers[field->number] = static_cast<std::int64_t>(field->value);
    }
  }
  if (reader.broken()) return Broken("illegal message");
  return scalars;
}

Result<json::value> DecodeTime(const Scalars& scalars, bool micro) {
  const std::int64_t seconds = scalars.numbers[1];
  const std::int64_t nanos = scalars.numbers[2];
  if (seconds == 0 && nanos == 0) return nullptr;  // Go's zero time
  // What RFC 3339 can say: the years 1 to 9999.
  if (seconds < -62135596800 || seconds > 253402300799 || nanos < 0 || nanos > 999999999) {
    return Broken("time out of range");
  }
  // Not as a Time: nanoseconds in 64 bits end in the year 2262.
  const std::string text = FormatSeconds(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  return json::value(micro ? fmt::format("{}.{:06}Z", text, nanos / 1000) : text + "Z");
}

class Decoder {
 public:
  Result<void> Struct(std::string_view bytes, const TypeSchema& schema, std::string_view message,
                      json::object& out, int depth) {
    const std::vector<ProtobufField>* fields = FindProtobufFields(message);
    if (fields == nullptr || depth > kMaxDepth) {
      return Fail(ErrorCode::kUnsupported, fmt::format("no protobuf form of {}", message));
    }
    WireReader reader(bytes);
    while (const std::optional<WireField> wire = reader.Next()) {
      const ProtobufField* known = nullptr;
      for (const ProtobufField& field : *fields) {
        if (field.number == wire->number) known = &field;
      }
      if (known == nullptr) continue;  // of a newer version, or not served
      Result<void> read = known->inlined.empty() ? Member(*wire, schema, known->name, out, depth)
                          : wire->type != WireField::Type::kBytes
                              ? Broken("wrong wire type")
                              : Struct(wire->bytes, schema, known->inlined, out, depth + 1);
      if (!read) return read;
    }
    if (reader.broken()) return Broken(fmt::format("illegal {}", message));
    return {};
  }

 private:
  Result<void> Member(const WireField& wire, const TypeSchema& schema, std::string_view name,
                      json::object& out, int depth) {
    const TypeSchema::Field* field = schema.FindField(name);
    if (field == nullptr) return {};
    const TypeSchema& type = *field->type;
    if (type.kind == Kind::kList) return Item(wire, type, out[name], depth);
    if (type.kind == Kind::kMap) return Entry(wire, type, out[name], depth);
    Result<json::value> value = Value(wire, type, depth);
    if (!value) return std::unexpected(std::move(value.error()));
    out[name] = std::move(*value);
    return {};
  }

  // Repeated: one item at a time, or numbers packed.
  Result<void> Item(const WireField& wire, const TypeSchema& type, json::value& out, int depth) {
    json::array& items = out.is_array() ? out.get_array() : out.emplace_array();
    const TypeSchema& element = *type.element;
    const bool number = element.kind == Kind::kInt32 || element.kind == Kind::kInt64;
    if (number && wire.type == WireField::Type::kBytes) {
      WireReader packed(wire.bytes);
      while (!packed.done()) {
        const std::optional<std::uint64_t> value = packed.Varint();
        if (!value) return Broken("illegal packed numbers");
        items.push_back(static_cast<std::int64_t>(*value));
      }
      return {};
    }
    Result<json::value> value = Value(wire, element, depth);
    if (!value) return std::unexpected(std::move(value.error()));
    items.push_back(std::move(*value));
    return {};
  }

  Result<void> Entry(const WireField& wire, const TypeSchema& type, json::value& out, int depth) {
    if (wire.type != WireField::Type::kBytes) return Broken("wrong wire type of a map");
    json::object& map = out.is_object() ? out.get_object() : out.emplace_object();
    std::string key;
    // An entry without a value has its type's zero, which for all our maps is that of no bytes.
    WireField value{.number = 2, .type = WireField::Type::kBytes};
    WireReader reader(wire.bytes);
    while (const std::optional<WireField> part = reader.Next()) {
      if (part->number == 1) key = std::string(part->bytes);
      if (part->number == 2) value = *part;
    }
    if (reader.broken()) return Broken("illegal map entry");
    Result<json::value> decoded = Value(value, *type.element, depth);
    if (!decoded) return std::unexpected(std::move(decoded.error()));
    map[key] = std::move(*decoded);
    return {};
  }

  Result<json::value> Value(const WireField& wire, const TypeSchema& type, int depth) {
    switch (type.kind) {
      case Kind::kBool:
      case Kind::kInt32:
      case Kind::kInt64:
        if (wire.type != WireField::Type::kVarint) return Broken("wrong wire type of a number");
        if (type.kind == Kind::kBool) return json::value(wire.value != 0);
        if (type.kind == Kind::kInt32) return json::value(static_cast<std::int32_t>(wire.value));
        return json::value(static_cast<std::int64_t>(wire.value));
      case Kind::kDouble:
        if (wire.type != WireField::Type::kFixed64) return Broken("wrong wire type of a double");
        return json::value(std::bit_cast<double>(wire.value));
      default: break;
    }
    if (wire.type != WireField::Type::kBytes) return Broken("wrong wire type");
    switch (type.kind) {
      case Kind::kString: return json::value(wire.bytes);
      case Kind::kBytes: return json::value(Base64Encode(wire.bytes));
      case Kind::kStruct: {
        json::object object;
        Result<void> read = Struct(wire.bytes, type, type.id, object, depth + 1);
        if (!read) return std::unexpected(std::move(read.error()));
        return json::value(std::move(object));
      }
      case Kind::kList: {  // the value of a map: a message with its items in field 1
        json::value items(json::array_kind);
        WireReader reader(wire.bytes);
        while (const std::optional<WireField> item = reader.Next()) {
          Result<void> read = Item(*item, type, items, depth + 1);
          if (!read) return std::unexpected(std::move(read.error()));
        }
        if (reader.broken()) return Broken("illegal list");
        return items;
      }
      default: return Message(wire.bytes, type);
    }
  }

  // The types that have a JSON form of their own.
  Result<json::value> Message(std::string_view bytes, const TypeSchema& type) {
    Result<Scalars> scalars = ReadScalars(bytes);
    if (!scalars) return std::unexpected(std::move(scalars.error()));
    switch (type.kind) {
      case Kind::kQuantity: return json::value(scalars->texts[1].empty() ? "0" : scalars->texts[1]);
      case Kind::kTime: return DecodeTime(*scalars, false);
      case Kind::kMicroTime: return DecodeTime(*scalars, true);
      case Kind::kDuration:
        return json::value(kube::FormatDuration(std::chrono::nanoseconds(scalars->numbers[1])));
      case Kind::kIntOrString:
        if (scalars->numbers[1] == 1) return json::value(scalars->texts[3]);
        return json::value(static_cast<std::int32_t>(scalars->numbers[2]));
      case Kind::kAny: {  // raw JSON
        if (scalars->texts[1].empty()) return nullptr;
        Result<json::value> parsed = ParseJson(scalars->texts[1]);
        if (!parsed) return Broken("a raw field is not JSON");
        return parsed;
      }
      default: return Broken("a type without a protobuf form");
    }
  }
};

// "apps/v1", "Deployment" to "apps.Deployment"; "autoscaling/v2" has types of its own.
std::string TypeIdOf(std::string_view api_version, std::string_view kind) {
  if (kind.ends_with("Options")) return fmt::format("meta.{}", kind);
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return fmt::format("core.{}", kind);
  const std::string_view group = api_version.substr(0, slash);
  const std::string_view version = api_version.substr(slash + 1);
  return fmt::format("{}{}.{}", group.substr(0, group.find('.')), version == "v1" ? "" : version,
                     kind);
}

}  // namespace

Result<json::object> DecodeProtobufBody(std::string_view body) {
  if (!body.starts_with(kMagic)) {
    return Broken("provided data does not appear to be a protobuf message");
  }
  // runtime.Unknown: what it is, and the object's own message.
  Result<Scalars> envelope = ReadScalars(body.substr(kMagic.size()));
  if (!envelope) return std::unexpected(std::move(envelope.error()));
  Result<Scalars> type_meta = ReadScalars(envelope->texts[1]);
  if (!type_meta) return std::unexpected(std::move(type_meta.error()));
  const std::string_view api_version = type_meta->texts[1];
  const std::string_view kind = type_meta->texts[2];

  const std::string id = TypeIdOf(api_version, kind);
  const TypeSchema* schema = FindBuiltinType(id);
  if (schema == nullptr) {
    return Fail(ErrorCode::kUnsupported, fmt::format("no protobuf form of {}", id));
  }
  json::object object{{"kind", kind}, {"apiVersion", api_version}};
  Result<void> read = Decoder().Struct(envelope->texts[2], *schema, id, object, 0);
  if (!read) return std::unexpected(std::move(read.error()));
  return object;
}

}  // namespace basalt::apiserver
