#include <fmt/format.h>

#include <limits>

#include "apiserver/object/json_text.h"
#include "apiserver/schema/type_schema.h"
#include "base/base64.h"
#include "kube/types/quantity.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

constexpr std::int64_t kMostMilli = std::numeric_limits<std::int64_t>::max();

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kBool: return "true or false";
    case Kind::kInt32: return "an integer of 32 bits";
    case Kind::kInt64: return "an integer of 64 bits";
    case Kind::kDouble: return "a number";
    case Kind::kIntOrString: return "an integer of 32 bits or a string";
    case Kind::kStruct:
    case Kind::kMap: return "an object";
    case Kind::kList: return "a list";
    default: return "a string";
  }
}

bool IsInt32(const json::value& value) {
  return value.is_int64() && std::in_range<std::int32_t>(value.get_int64());
}

// One walk over one body; the first error ends it.
class Conformer {
 public:
  explicit Conformer(std::vector<std::string>* unknown) : unknown_(unknown) {}

  Result<void> Run(json::value& value, const TypeSchema& type) {
    if (!Visit(value, type)) return Fail(ErrorCode::kInvalidArgument, std::move(error_));
    return {};
  }

 private:
  // False: over, error_ says why.
  bool Visit(json::value& value, const TypeSchema& type) {
    switch (type.kind) {
      case Kind::kString:
      case Kind::kDuration: return value.is_string() || WrongType(type);
      case Kind::kBool: return value.is_bool() || WrongType(type);
      case Kind::kInt32: return IsInt32(value) || WrongType(type);
      case Kind::kInt64: return value.is_int64() || WrongType(type);
      case Kind::kDouble: return value.is_number() || WrongType(type);
      case Kind::kIntOrString: return value.is_string() || IsInt32(value) || WrongType(type);
      case Kind::kQuantity: return VisitQuantity(value);
      case Kind::kTime:
      case Kind::kMicroTime: return VisitTime(value, type);
      case Kind::kBytes: return VisitBytes(value, type);
      case Kind::kAny: return true;
      case Kind::kStruct:
        return value.is_object() ? VisitStruct(value.get_object(), type) : WrongType(type);
      case Kind::kList:
        return value.is_array() ? VisitList(value.get_array(), *type.element) : WrongType(type);
      case Kind::kMap:
        return value.is_object() ? VisitMap(value.get_object(), *type.element) : WrongType(type);
    }
    return true;
  }

  bool Wrong(std::string_view why) {
    error_ = path_.empty() ? std::string(why) : fmt::format("{}: {}", path_.substr(1), why);
    return false;
  }

  bool WrongType(const TypeSchema& type) {
    return Wrong(fmt::format("{} is expected", NameOf(type.kind)));
  }

  bool VisitQuantity(json::value& value) {
    const std::string text = value.is_string() ? std::string(value.get_string()) : ToText(value);
    Result<kube::Quantity> quantity = kube::Quantity::Parse(text);
    if (!quantity) return Wrong(quantity.error().message);
    // Resources are counted in thousandths at the finest.
    const std::int64_t milli = quantity->MilliValue();
    const kube::Quantity rounded = kube::Quantity::OfMilli(milli, quantity->format());
    const bool in_range = milli < kMostMilli && milli > -kMostMilli;
    value = (in_range && rounded != *quantity ? rounded : *quantity).ToString();
    return true;
  }

  bool VisitTime(json::value& value, const TypeSchema& type) {
    if (!value.is_string()) return WrongType(type);
    const Result<std::string> time = type.kind == Kind::kMicroTime
                                         ? kube::NormalizeMicroTime(value.get_string())
                                         : kube::NormalizeTime(value.get_string());
    if (!time) return Wrong(time.error().message);
    value = *time;
    return true;
  }

  bool VisitBytes(json::value& value, const TypeSchema& type) {
    if (!value.is_string()) return WrongType(type);
    // Go's decoder skips line ends, which are then not sent back.
    std::string text(value.get_string());
    std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
    if (!Base64Decode(text)) return Wrong("base64 is expected");
    value = text;
    return true;
  }

  // A value one step below the one that is being read: "[0]", ".name".
  bool VisitBelow(std::string_view mark, std::string_view step, json::value& value,
                  const TypeSchema& type) {
    const std::size_t length = path_.size();
    path_ += mark;
    path_ += step;
    if (!Visit(value, type)) return false;
    path_.resize(length);
    return true;
  }

  bool VisitList(json::array& list, const TypeSchema& element) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].is_null()) {
        list[i] = ZeroValue(element);
      } else if (!VisitBelow("", fmt::format("[{}]", i), list[i], element)) {
        return false;
      }
    }
    return true;
  }

  bool VisitMap(json::object& map, const TypeSchema& element) {
    for (auto& [key, value] : map) {
      if (value.is_null()) {
        value = ZeroValue(element);
      } else if (!VisitBelow(".", key, value, element)) {
        return false;
      }
    }
    return true;
  }

  bool VisitStruct(json::object& object, const TypeSchema& type) {
    std::vector<std::string> drop;
    for (auto& [key, value] : object) {
      const TypeSchema::Field* field = type.FindField(key);
      if (field == nullptr && unknown_ != nullptr) {
        unknown_->push_back(fmt::format("{}.{}", path_, std::string_view(key)).substr(1));
      }
      if (field != nullptr && !value.is_null() && !VisitBelow(".", key, value, *field->type)) {
        return false;
      }
      if (field == nullptr || Omitted(*field, value)) drop.emplace_back(key);
    }
    for (const std::string& name : drop) object.erase(name);
    AddZeroFields(object, type);
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

  // The fields that Go encodes even where they were not set. A list that is not omitted when empty
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
  std::string path_;  // of what is being read: .spec.containers[0]
  std::string error_;
};

}  // namespace

Result<void> Conform(json::value& value, const TypeSchema& type,
                     std::vector<std::string>* unknown) {
  return Conformer(unknown).Run(value, type);
}

}  // namespace basalt::apiserver
