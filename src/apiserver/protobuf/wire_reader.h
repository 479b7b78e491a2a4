#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace basalt::apiserver {

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
  std::optional<WireField> Next();
  bool broken() const { return broken_; }

  // A varint at the front of what is left.
  std::optional<std::uint64_t> Varint();
  bool done() const { return rest_.empty(); }

 private:
  std::optional<std::uint64_t> Fixed(int size);
  std::optional<WireField> Break();

  std::string_view rest_;
  bool broken_ = false;
};

}  // namespace basalt::apiserver
