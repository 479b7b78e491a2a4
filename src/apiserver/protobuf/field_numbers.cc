#include "apiserver/protobuf/field_numbers.h"

#include <charconv>
#include <map>
#include <string>

#include "apiserver/data/tables.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using FieldTable = std::map<std::string, std::vector<ProtobufField>, std::less<>>;

ProtobufField ParseNumber(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::size_t colon = word.find(':', equals);
  BASALT_CHECK(equals != std::string_view::npos);
  const std::string_view digits = word.substr(equals + 1, colon - equals - 1);
  ProtobufField field;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), field.number);
  BASALT_CHECK(parsed.ec == std::errc());
  if (colon == std::string_view::npos) {
    field.name = word.substr(0, equals);
  } else {
    field.inlined = word.substr(colon + 1);
  }
  return field;
}

FieldTable Parse() {
  FieldTable table;
  std::string_view text = FieldNumbersText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    std::vector<ProtobufField>& fields = table[std::string(NextWord(entry))];
    for (std::string_view word = NextWord(entry); !word.empty(); word = NextWord(entry)) {
      fields.push_back(ParseNumber(word));
    }
  }
  return table;
}

}  // namespace

const std::vector<ProtobufField>* FindProtobufFields(std::string_view message) {
  static const FieldTable* const table = new FieldTable(Parse());
  const auto found = table->find(message);
  return found == table->end() ? nullptr : &found->second;
}

}  // namespace basalt::apiserver
