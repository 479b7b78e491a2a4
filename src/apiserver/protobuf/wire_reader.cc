#include "apiserver/protobuf/wire_reader.h"

namespace basalt::apiserver {

std::optional<WireField> WireReader::Break() {
  broken_ = true;
  return std::nullopt;
}

std::optional<std::uint64_t> WireReader::Varint() {
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

std::optional<std::uint64_t> WireReader::Fixed(int size) {
  if (rest_.size() < static_cast<std::size_t>(size)) return std::nullopt;
  std::uint64_t value = 0;
  for (int n = 0; n < size; ++n) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[n])) << (8 * n);
  }
  rest_.remove_prefix(size);
  return value;
}

std::optional<WireField> WireReader::Next() {
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

}  // namespace basalt::apiserver
