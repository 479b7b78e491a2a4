#include "apiserver/protobuf/decode_body.h"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "apiserver/data/tables.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/text.h"
#include "apiserver/schema/type_schema.h"
#include "base/base64.h"
#include "base/check.h"
#include "kube/types/integer.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

constexpr std::string_view kMagic("k8s\0", 4);
// Far deeper than any built-in type nests.
constexpr int kMaxDepth = 64;

// One field on protobuf's wire: its number, and its value by wire type.
struct WireField {
  enum class Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  std::uint32_t number = 0;
  Type type = Type::kVarint;
  std::uint64_t value = 0;  // of the three kinds of number
  std::string_view bytes;   // of kBytes
};

// Walks the fields of one message. A value type over bytes that must outlive it.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // The next field; nullopt at the end, or where the bytes make no sense (then broken()).
  std::optional<WireField> Next() {
    if (rest_.empty() || broken_) return std::nullopt;
    const std::optional<std::uint64_t> tag = Varint();
    if (!tag || (*tag >> 3) == 0 || (*tag >> 3) > 0x1fffffff) return Break();
    WireField field;
    field.number = static_cast<std::uint32_t>(*tag >> 3);
    std::optional<std::uint64_t> value;
    switch (*tag & 7) {
      case 0: value = Varint(); break;
      case 1:
        field.type = WireField::Type::kFixed64;
        value = Fixed(8);
        break;
      case 2:
        field.type = WireField::Type::kBytes;
        value = Varint();
        if (!value || *value > rest_.size()) return Break();
        field.bytes = rest_.substr(0, *value);
        rest_.remove_prefix(*value);
        break;
      case 5:
        field.type = WireField::Type::kFixed32;
        value = Fixed(4);
        break;
      default: return Break();
    }
    if (!value) return Break();
    field.value = *value;
    return field;
  }
  bool broken() const { return broken_; }

  // A varint at the front of what is left.
  std::optional<std::uint64_t> Varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    broken_ = true;
    return std::nullopt;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::optional<std::uint64_t> Fixed(int size) {
    if (rest_.size() < static_cast<std::size_t>(size)) return std::nullopt;
    std::uint64_t value = 0;
    for (int n = 0; n < size; ++n) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[n])) << (8 * n);
    }
    rest_.remove_prefix(size);
    return value;
  }

  std::optional<WireField> Break() {
    broken_ = true;
    return std::nullopt;
  }

  std::string_view rest_;
  bool broken_ = false;
};

// One field of a protobuf message. Either `name` (as in JSON; its type is that of the schema) or
// `inlined` (a message whose fields stand in this one's JSON) is set.
struct ProtobufField {
  std::string_view name;
  std::string_view inlined;
};
using ProtobufFields = std::map<std::uint32_t, ProtobufField>;  // by number

// The fields of a built-in type; null: it has no protobuf form here.
const ProtobufFields* FindProtobufFields(std::string_view message) {
  static const auto* const kMessages = [] {
    auto* messages = new std::map<std::string_view, ProtobufFields>;
    std::string_view text = FieldNumbersText();
    for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
      ProtobufFields& fields = (*messages)[NextWord(entry)];
      for (std::string_view word = NextWord(entry); !word.empty(); word = NextWord(entry)) {
        // name=1, *=2:core.Inlined
        const auto [name, rest] = Cut(word, '=');
        const auto [digits, inlined] = Cut(rest, ':');
        const std::optional<std::int64_t> number = kube::ParseInt64(digits);
        BASALT_CHECK(number.has_value());
        fields[static_cast<std::uint32_t>(*number)] = {inlined.empty() ? name : "", inlined};
      }
    }
    return messages;
  }();
  const auto found = kMessages->find(message);
  return found == kMessages->end() ? nullptr : &found->second;
}

// What the small messages of apimachinery hold: numbers and texts by field number.
struct Scalars {
  std::int64_t numbers[4] = {};
  std::string_view texts[4];

  // False: it is no message.
  bool Read(std::string_view bytes) {
    WireReader reader(bytes);
    while (const std::optional<WireField> field = reader.Next()) {
      if (field->number >= 4) continue;
      texts[field->number] = field->bytes;
      if (field->type != WireField::Type::kBytes) {
        numbers[field->number] = static_cast<std::int64_t>(field->value);
      }
    }
    return !reader.broken();
  }
};

// One body. What a function returns: false is the end, and `error` says why.
class Decoder {
 public:
  Error error;

  bool Struct(std::string_view bytes, const TypeSchema& schema, std::string_view message,
              json::object& out, int depth) {
    const ProtobufFields* fields = FindProtobufFields(message);
    if (fields == nullptr || depth > kMaxDepth) {
      error = {ErrorCode::kUnsupported, fmt::format("no protobuf form of {}", message)};
      return false;
    }
    WireReader reader(bytes);
    while (const std::optional<WireField> wire = reader.Next()) {
      const auto known = fields->find(wire->number);
      if (known == fields->end()) continue;  // of a newer version, or not served
      const auto& [name, inlined] = known->second;
      if (!inlined.empty() && wire->type != WireField::Type::kBytes)
        return Broken("an inlined one");
      const bool read = inlined.empty() ? Member(*wire, schema, name, out, depth)
                                        : Struct(wire->bytes, schema, inlined, out, depth + 1);
      if (!read) return false;
    }
    return !reader.broken() || Broken(message);
  }

  bool Broken(std::string_view what) {
    error = {ErrorCode::kInvalidArgument, fmt::format("protobuf: cannot read {}", what)};
    return false;
  }

 private:
  bool Member(const WireField& wire, const TypeSchema& schema, std::string_view name,
              json::object& out, int depth) {
    const TypeSchema::Field* field = schema.FindField(name);
    if (field == nullptr) return true;
    const TypeSchema& type = *field->type;
    if (type.kind == Kind::kList) return Item(wire, type, out[name], depth);
    if (type.kind == Kind::kMap) return Entry(wire, type, out[name], depth);
    return Value(wire, type, out[name], depth);
  }

  // Repeated: one item at a time, or numbers packed.
  bool Item(const WireField& wire, const TypeSchema& type, json::value& out, int depth) {
    json::array& items = out.is_array() ? out.get_array() : out.emplace_array();
    const TypeSchema& element = *type.element;
    const bool number = element.kind == Kind::kInt32 || element.kind == Kind::kInt64;
    if (!number || wire.type != WireField::Type::kBytes) {
      return Value(wire, element, items.emplace_back(nullptr), depth);
    }
    WireReader packed(wire.bytes);
    while (!packed.done()) {
      const std::optional<std::uint64_t> value = packed.Varint();
      if (!value) return Broken("packed numbers");
      items.push_back(static_cast<std::int64_t>(*value));
    }
    return true;
  }

  bool Entry(const WireField& wire, const TypeSchema& type, json::value& out, int depth) {
    if (wire.type != WireField::Type::kBytes) return Broken("a map");
    json::object& map = out.is_object() ? out.get_object() : out.emplace_object();
    std::string_view key;
    // An entry without a value has its type's zero, which for all our maps is that of no bytes.
    WireField value{.number = 2, .type = WireField::Type::kBytes};
    WireReader reader(wire.bytes);
    while (const std::optional<WireField> part = reader.Next()) {
      if (part->number == 1) key = part->bytes;
      if (part->number == 2) value = *part;
    }
    if (reader.broken()) return Broken("an entry of a map");
    return Value(value, *type.element, map[key], depth);
  }

  bool Value(const WireField& wire, const TypeSchema& type, json::value& out, int depth) {
    using Type = WireField::Type;
    const bool integer =
        type.kind == Kind::kBool || type.kind == Kind::kInt32 || type.kind == Kind::kInt64;
    const Type wanted = integer                      ? Type::kVarint
                        : type.kind == Kind::kDouble ? Type::kFixed64
                                                     : Type::kBytes;
    if (wire.type != wanted) return Broken("a value of the wrong type");
    switch (type.kind) {
      case Kind::kBool: out = wire.value != 0; return true;
      case Kind::kInt32: out = static_cast<std::int32_t>(wire.value); return true;
      case Kind::kInt64: out = static_cast<std::int64_t>(wire.value); return true;
      case Kind::kDouble: out = std::bit_cast<double>(wire.value); return true;
      case Kind::kString: out = wire.bytes; return true;
      case Kind::kBytes: out = Base64Encode(wire.bytes); return true;
      case Kind::kStruct: return Struct(wire.bytes, type, type.id, out.emplace_object(), depth + 1);
      case Kind::kList: {  // the value of a map: a message with its items in field 1
        out.emplace_array();
        WireReader reader(wire.bytes);
        while (const std::optional<WireField> item = reader.Next()) {
          if (!Item(*item, type, out, depth + 1)) return false;
        }
        return !reader.broken() || Broken("a list");
      }
      default: return Message(wire.bytes, type, out);
    }
  }

  // The types that have a JSON form of their own.
  bool Message(std::string_view bytes, const TypeSchema& type, json::value& out) {
    Scalars scalars;
    if (!scalars.Read(bytes)) return Broken("a small message");
    switch (type.kind) {
      case Kind::kQuantity: out = scalars.texts[1].empty() ? "0" : scalars.texts[1]; return true;
      case Kind::kTime: return TimeOf(scalars, false, out);
      case Kind::kMicroTime: return TimeOf(scalars, true, out);
      case Kind::kDuration:
        out = kube::FormatDuration(std::chrono::nanoseconds(scalars.numbers[1]));
        return true;
      case Kind::kIntOrString:
        out = static_cast<std::int32_t>(scalars.numbers[2]);
        if (scalars.numbers[1] == 1) out = scalars.texts[3];
        return true;
      case Kind::kAny: {  // raw JSON
        if (scalars.texts[1].empty()) return true;
        Result<json::value> parsed = ParseJson(scalars.texts[1]);
        if (parsed) out = std::move(*parsed);
        return parsed.has_value() || Broken("raw JSON");
      }
      default: return Broken("a type without a protobuf form");
    }
  }

  bool TimeOf(const Scalars& scalars, bool micro, json::value& out) {
    const std::int64_t seconds = scalars.numbers[1];
    const std::int64_t nanos = scalars.numbers[2];
    if (seconds == 0 && nanos == 0) return true;  // Go's zero time: null
    // What RFC 3339 can say: the years 1 to 9999.
    if (seconds < -62135596800 || seconds > 253402300799 || nanos < 0 || nanos > 999999999) {
      return Broken("a time");
    }
    // Not as a Time: nanoseconds in 64 bits end in the year 2262.
    const std::string text =
        kube::FormatSeconds(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
    out = micro ? fmt::format("{}.{:06}Z", text, nanos / 1000) : text + "Z";
    return true;
  }
};

}  // namespace

Result<json::object> DecodeProtobufBody(std::string_view body) {
  Decoder decoder;
  // runtime.Unknown: what it is, and the object's own message.
  Scalars envelope;
  Scalars type_meta;
  if (!body.starts_with(kMagic) || !envelope.Read(body.substr(kMagic.size())) ||
      !type_meta.Read(envelope.texts[1])) {
    decoder.Broken("the envelope");
    return std::unexpected(decoder.error);
  }
  const std::string_view api_version = type_meta.texts[1];
  const std::string_view kind = type_meta.texts[2];
  const std::string id = TypeIdOf(api_version, kind);
  const TypeSchema* schema = FindBuiltinType(id);
  if (schema == nullptr) {
    return Fail(ErrorCode::kUnsupported, fmt::format("no protobuf form of {}", id));
  }
  json::object object{{"kind", kind}, {"apiVersion", api_version}};
  if (!decoder.Struct(envelope.texts[2], *schema, id, object, 0)) {
    return std::unexpected(decoder.error);
  }
  return object;
}

}  // namespace basalt::apiserver
