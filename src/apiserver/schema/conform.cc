#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "apiserver/object/go_text.h"
#include "apiserver/schema/type_schema.h"
#include "kube/types/quantity.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

namespace json = boost::json;
using Kind = TypeSchema::Kind;

constexpr std::string_view kTimeLayout = "2006-01-02T15:04:05Z07:00";
constexpr std::int64_t kMostMilli = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kMicroTimeLayout = "2006-01-02T15:04:05.000000Z07:00";

// How Go's decoder calls a JSON value that does not fit. Numbers are spelt out only where a number
// was wanted.
std::string Shown(const json::value& value, bool spell_number = false) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "bool";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    case json::kind::double_:
      return spell_number ? fmt::format("number {}", value.get_double()) : "number";
    default: return spell_number ? "number " + json::serialize(value) : "number";
  }
}

// Go's layout of micro times insists on them.
bool HasSixFractionDigits(std::string_view text) {
  return text.size() > 26 && text[19] == '.' &&
         text.find_first_not_of("0123456789", 20) == std::size_t{26};
}

// One walk over one body. Two kinds of errors, as in Go: a value of the wrong type is remembered
// (the first one counts) and the walk goes on; a value that its own parser refuses ends it.
class Conformer {
 public:
  explicit Conformer(std::vector<std::string>* unknown) : unknown_(unknown) {}

  Result<void> Run(json::value& value, const TypeSchema& type) {
    if (!Visit(value, type)) return Fail(ErrorCode::kInvalidArgument, std::move(fatal_));
    if (first_) return Fail(ErrorCode::kInvalidArgument, std::move(*first_));
    return {};
  }

 private:
  // False: over, fatal_ says why. A value that is not of its type becomes null.
  bool Visit(json::value& value, const TypeSchema& type) {
    switch (type.kind) {
      case Kind::kString: return value.is_string() || WrongType(value, type);
      case Kind::kBool: return value.is_bool() || WrongType(value, type);
      case Kind::kInt32:
        return VisitInteger(value, type, std::numeric_limits<std::int32_t>::min(),
                            std::numeric_limits<std::int32_t>::max());
      case Kind::kInt64:
        return VisitInteger(value, type, std::numeric_limits<std::int64_t>::min(),
                            std::numeric_limits<std::int64_t>::max());
      case Kind::kDouble: return value.is_number() || WrongType(value, type);
      case Kind::kQuantity: return VisitQuantity(value);
      case Kind::kTime: return VisitTime(value, /*micro=*/false);
      case Kind::kMicroTime: return VisitTime(value, /*micro=*/true);
      case Kind::kDuration:
        return value.is_string() || Fatal(fmt::format("json: cannot unmarshal {} into Go value of "
                                                      "type string",
                                                      Shown(value)));
      case Kind::kIntOrString: return VisitIntOrString(value);
      case Kind::kBytes: return VisitBytes(value, type);
      case Kind::kAny: return true;
      case Kind::kStruct:
        return value.is_object() ? VisitStruct(value.get_object(), type) : WrongType(value, type);
      case Kind::kList:
        return value.is_array() ? VisitList(value.get_array(), *type.element)
                                : WrongType(value, type);
      case Kind::kMap:
        return value.is_object() ? VisitMap(value.get_object(), *type.element)
                                 : WrongType(value, type);
    }
    return true;
  }

  // A type error from within a type that reads itself.
  bool FatalType(const json::value& value, std::string_view wanted) {
    const std::string what = Shown(value, /*spell_number=*/wanted == "int32");
    if (struct_.empty()) {
      return Fatal(fmt::format("json: cannot unmarshal {} into Go value of type {}", what, wanted));
    }
    return Fatal(fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                             what, struct_, fields_, wanted));
  }

  bool Fatal(std::string message) {
    fatal_ = std::move(message);
    return false;
  }

  bool WrongType(json::value& value, const TypeSchema& type, bool spell_number = false) {
    if (!first_) {
      const std::string what = Shown(value, spell_number);
      first_ = struct_.empty()
                   ? fmt::format("json: cannot unmarshal {} into Go value of type {}", what,
                                 type.go_name)
                   : fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                                 what, struct_, fields_, type.go_name);
    }
    value = nullptr;
    return true;
  }

  bool VisitInteger(json::value& value, const TypeSchema& type, std::int64_t least,
                    std::int64_t most) {
    if (!value.is_number()) return WrongType(value, type);
    if (value.is_int64() && value.get_int64() >= least && value.get_int64() <= most) return true;
    return WrongType(value, type, /*spell_number=*/true);
  }

  bool VisitQuantity(json::value& value) {
    const std::string text = value.is_string()   ? std::string(value.get_string())
                             : value.is_double() ? fmt::format("{}", value.get_double())
                                                 : json::serialize(value);
    Result<kube::Quantity> quantity = kube::Quantity::Parse(text);
    if (!quantity) return Fatal(quantity.error().message);
    // Resources are counted in thousandths at the finest.
    const std::int64_t milli = quantity->MilliValue();
    const kube::Quantity rounded = kube::Quantity::OfMilli(milli, quantity->format());
    const bool in_range = milli < kMostMilli && milli > -kMostMilli;
    value = (in_range && rounded != *quantity ? rounded : *quantity).ToString();
    return true;
  }

  bool VisitTime(json::value& value, bool micro) {
    if (!value.is_string()) {
      return FatalType(value, "string");
    }
    const std::string_view text = value.get_string();
    Result<Time> time = kube::ParseTime(text);
    if (time && micro && !HasSixFractionDigits(text)) {
      return Fatal(fmt::format("parsing time {} as \"{}\": cannot parse {} as \".000000\"",
                               GoQuote(text), kMicroTimeLayout, GoQuote(text.substr(19))));
    }
    if (!time) {
      std::string message = time.error().message;
      if (const std::size_t at = message.find(kTimeLayout); micro && at != message.npos) {
        message.replace(at, kTimeLayout.size(), kMicroTimeLayout);
      }
      return Fatal(std::move(message));
    }
    value = micro ? kube::FormatMicroTime(*time) : *kube::NormalizeTime(text);
    return true;
  }

  bool VisitIntOrString(json::value& value) {
    if (value.is_string()) return true;
    if (value.is_int64() && value.get_int64() >= std::numeric_limits<std::int32_t>::min() &&
        value.get_int64() <= std::numeric_limits<std::int32_t>::max()) {
      return true;
    }
    return FatalType(value, "int32");
  }

  bool VisitBytes(json::value& value, const TypeSchema& type) {
    if (!value.is_string()) return WrongType(value, type);
    // Go's decoder skips line ends, which are then not sent back.
    std::string text;
    for (const char c : value.get_string()) {
      if (c != '\n' && c != '\r') text += c;
    }
    if (const std::optional<std::size_t> bad = FirstBadBase64(text)) {
      if (!first_) first_ = fmt::format("illegal base64 data at input byte {}", *bad);
      value = nullptr;
      return true;
    }
    value = text;
    return true;
  }

  // Where Go's decoder stops, or nothing.
  static std::optional<std::size_t> FirstBadBase64(std::string_view text) {
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '=') {
        const std::size_t in_group = i % 4;
        if (in_group < 2) return i;
        if (in_group == 2) {
          if (i + 1 >= text.size()) return text.size();
          if (text[i + 1] != '=') return i + 1;
          return i + 2 == text.size() ? std::nullopt : std::optional(i + 2);
        }
        return i + 1 == text.size() ? std::nullopt : std::optional(i + 1);
      }
      if (kAlphabet.find(text[i]) == kAlphabet.npos) return i;
    }
    if (text.size() % 4 != 0) return text.size() / 4 * 4;
    return std::nullopt;
  }

  bool VisitList(json::array& list, const TypeSchema& element) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t length = path_.size();
      path_ += fmt::format("[{}]", i);
      if (list[i].is_null()) {
        list[i] = ZeroValue(element);
      } else if (!Visit(list[i], element)) {
        return false;
      } else if (list[i].is_null()) {
        list[i] = ZeroValue(element);
      }
      path_.resize(length);
    }
    return true;
  }

  bool VisitMap(json::object& map, const TypeSchema& element) {
    for (auto& [key, value] : map) {
      const std::size_t length = path_.size();
      path_ += path_.empty() ? "" : ".";
      path_ += std::string_view(key);
      if (value.is_null()) {
        value = ZeroValue(element);
      } else if (!Visit(value, element)) {
        return false;
      } else if (value.is_null()) {
        value = ZeroValue(element);
      }
      path_.resize(length);
    }
    return true;
  }

  bool VisitStruct(json::object& object, const TypeSchema& type) {
    const std::string outer_struct = std::exchange(struct_, type.go_name.substr(3));
    std::vector<std::string> drop;
    for (auto& [key, value] : object) {
      const std::string_view name = key;
      const TypeSchema::Field* field = type.FindField(name);
      if (field == nullptr) {
        if (unknown_ != nullptr) {
          unknown_->push_back(path_.empty() ? std::string(name)
                                            : fmt::format("{}.{}", path_, name));
        }
        drop.emplace_back(name);
        continue;
      }
      if (!value.is_null()) {
        const std::size_t path_length = path_.size();
        const std::size_t fields_length = fields_.size();
        path_ += path_.empty() ? "" : ".";
        path_ += name;
        fields_ += fields_.empty() ? "" : ".";
        fields_ += name;
        if (!Visit(value, *field->type)) return false;
        path_.resize(path_length);
        fields_.resize(fields_length);
      }
      if (Omitted(*field, value)) drop.emplace_back(name);
    }
    for (const std::string& name : drop) object.erase(name);
    AddZeroFields(object, type);
    struct_ = outer_struct;
    return true;
  }

  // Whether Go would leave the field out.
  static bool Omitted(const TypeSchema::Field& field, const json::value& value) {
    if (field.pointer) return field.omit_empty && value.is_null();
    if (field.omit_zero && IsZero(*field.type, value)) return true;
    if (!field.omit_empty) return false;
    switch (field.type->kind) {
      case Kind::kStruct:
      case Kind::kTime:
      case Kind::kMicroTime:
      case Kind::kDuration:
      case Kind::kQuantity:
      case Kind::kIntOrString: return false;
      default: return IsZero(*field.type, value);
    }
  }

  static bool IsZero(const TypeSchema& type, const json::value& value) {
    switch (value.kind()) {
      case json::kind::null: return true;
      case json::kind::bool_: return !value.get_bool();
      case json::kind::int64: return value.get_int64() == 0;
      case json::kind::uint64: return value.get_uint64() == 0;
      case json::kind::double_: return value.get_double() == 0;
      case json::kind::string: return value.get_string().empty();
      case json::kind::array: return value.get_array().empty();
      case json::kind::object:
        if (type.kind != Kind::kStruct) return value.get_object().empty();
        for (const auto& [key, member] : value.get_object()) {
          const TypeSchema::Field* field = type.FindField(key);
          if (field == nullptr || !IsZero(*field->type, member)) return false;
        }
        return true;
    }
    return false;
  }

  // What Go encodes for a value that was never set.
  static json::value ZeroValue(const TypeSchema& type) {
    switch (type.kind) {
      case Kind::kString: return "";
      case Kind::kBool: return false;
      case Kind::kInt32:
      case Kind::kInt64:
      case Kind::kDouble:
      case Kind::kIntOrString: return 0;
      case Kind::kQuantity: return "0";
      case Kind::kDuration: return "0s";
      case Kind::kStruct: {
        json::object object;
        AddZeroFields(object, type);
        return object;
      }
      default: return nullptr;
    }
  }

  // The fields that Go encodes even where nobody set them. A list that is not omitted when empty
  // is stored as protobuf, which does not tell empty from absent: it comes back as null.
  static void AddZeroFields(json::object& object, const TypeSchema& type) {
    for (const TypeSchema::Field& field : type.fields) {
      json::value* value = object.if_contains(field.name);
      if (value == nullptr || value->is_null()) {
        json::value zero = field.pointer ? json::value() : ZeroValue(*field.type);
        if (!Omitted(field, zero)) object[field.name] = std::move(zero);
      } else if (!field.pointer && (field.type->kind == Kind::kList) && value->is_array() &&
                 value->get_array().empty()) {
        *value = nullptr;
      }
    }
  }

  std::vector<std::string>* unknown_;
  std::string path_;    // of unknown fields: spec.containers[0]
  std::string fields_;  // of type errors: spec.containers
  std::string struct_;  // the struct that is being read
  std::optional<std::string> first_;
  std::string fatal_;
};

}  // namespace

Result<void> Conform(json::value& value, const TypeSchema& type,
                     std::vector<std::string>* unknown) {
  return Conformer(unknown).Run(value, type);
}

}  // namespace basalt::apiserver
