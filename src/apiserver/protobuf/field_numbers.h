#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace basalt::apiserver {

// One field of a protobuf message. Either `name` (as in JSON; its type is that of the schema) or
// `inlined` (a message whose fields stand in this one's JSON) is set.
struct ProtobufField {
  std::uint32_t number = 0;
  std::string_view name;
  std::string_view inlined;
};

// The fields of a built-in type by its id as schema/builtin_types.h has it, or nullptr: it has no
// protobuf form here. Lives as long as the program.
const std::vector<ProtobufField>* FindProtobufFields(std::string_view message);

}  // namespace basalt::apiserver
