#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"

// What the words of fields.txt ask of a value; field_rules.h has the list.
namespace basalt::apiserver {

// What a check is told: a value, the struct that it is in, and how to complain.
struct Checked {
  enum class Reason { kInvalid, kRequired, kForbidden };

  const json::value& value;
  const json::object& holder;
  const std::string& path;
  Reason reason = Reason::kInvalid;
  bool indexed = true;  // whether complaints about a list's element say which
  FieldErrors& errors;

  void Refuse(std::string_view why) const;
};
using FieldCheck = std::function<void(const Checked& checked)>;

// By its word: "range=0..", "dnsLabel". An empty string passes a format unless `of_empty`.
FieldCheck FieldCheckOf(std::string_view word, bool of_empty);

// At least one part.
std::vector<std::string> Split(std::string_view text, char separator);

}  // namespace basalt::apiserver
