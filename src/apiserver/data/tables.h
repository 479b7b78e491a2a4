#pragma once

#include <string_view>

// What the wire of Kubernetes looks like: data/*.txt, which tools/kubernetes writes from the
// modules that Kubernetes publishes, embedded in the program. One entry a line; a line that starts
// with a blank goes on with the one before it.
namespace basalt::apiserver {

// The built-in kinds as they are served; kinds/builtin.cc.
std::string_view KindsText();
// The types of the built-in kinds; schema/type_table.h explains the notation.
std::string_view TypesText();
// The field numbers of their protobuf form; protobuf/decode_body.cc.
std::string_view FieldNumbersText();
// The columns of kubectl's tables; kinds/cells.h.
std::string_view ColumnsText();

// Reading them. The next entry of `text`, which is cut off it, and the next blank-separated word of
// an entry; empty at the end.
std::string_view NextEntry(std::string_view& text);
std::string_view NextWord(std::string_view& entry);

}  // namespace basalt::apiserver
