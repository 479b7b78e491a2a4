#pragma once

#include <functional>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

// Rules of fields as data: kinds/fields.txt, embedded in the program. An entry is a line with the
// ids of types (or TYPE.FIELD: that type's field alone), then a line for each of their fields:
// names, comma-separated ("a.b" is within the field a, "." the value itself), and words, on further
// lines too where these stand back. An entry of one field may be one line, "TYPE: FIELD WORDS".
//
//   =VALUE          what it is where it is left out: JSON, or else a string
//   if F, if F=A,B  all of the line only where the field F is there, or is one of these
//   unless ...      or is not
//   required        not absent, empty or zero; the further words say nothing of such a value then
//   always          the further words hold of an absent value, too, which counts as empty
//   immutable       an update leaves it as it is; of fields of the object and of its structs;
//                   conditions are about what it was
//   but=F,G         of "." alone: and is immutable but for these fields
//   unchecked       it is not looked into
//   enum=A,B        one of these, or what begins like A where it is "A*"
//   is=A,B not=A,B  the same with another reason; not one of these
//   absent          not there
//   range=A..B      a number from A to B; either may be missing
//   atMost=F        a number that is not more than that of the field F
//   above=F         one that is
//   most=N          a list or text of at most N
//   unique=F        a list whose elements do not share a field F
//   distinct=F,G    the same of several fields
//   disjoint=F      a list that shares nothing with the list F
//   alone=A         a list that has nothing beside A
//   has=A,B         a list that has one of these
//   one=F,G         of "." alone: exactly one of these fields is there
//   oneBeside=F,G   of "." alone: exactly one struct is there beside these; a complaint names those
//                   that are too many
//   at=PATH         what complaints call it: "." is the struct that it is in, ".." the list that
//                   this is in, "/a" a path from the object; elements of a list have no index then
//   as=REASON       complaints are of this reason (required, forbidden) and not "invalid"
//   anything else   the name of a check in field_checks.cc; of a list: of each element
//
// A value that is absent or an empty string passes everything but "required" and "always".
namespace basalt::apiserver {

// The text of fields.txt.
std::string_view FieldRulesText();

// Fills in what was left out of an object of a built-in kind.
void FillDefaults(json::object& object, const TypeSchema& kind);
// All that is desired of it: everything but its metadata and status.
void CheckDesired(const json::object& object, const TypeSchema& kind, FieldErrors& errors);
// Its status alone.
void CheckStatus(const json::object& object, const TypeSchema& kind, FieldErrors& errors);
// That immutable fields of its status, or of everything else, are what they were. `path`: of a
// struct within the object.
void CheckImmutable(const json::object& object, const json::object& old, const TypeSchema& type,
                    bool status, FieldErrors& errors, const std::string& path = "");

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

}  // namespace basalt::apiserver
