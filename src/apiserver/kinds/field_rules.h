#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"
#include "apiserver/schema/type_schema.h"

// Rules of fields as data: kinds/fields.txt, embedded in the program. An entry is a line with the
// ids of types, then a line for each of their fields: names, comma-separated ("." is the value
// itself), and words:
//
//   =VALUE         what it is where nobody says: JSON, or else a string
//   if F=A,B       that default only where the field F is one of these
//   required       not absent, empty or zero; the further words say nothing of such a value then
//   always         the further words hold of an absent value, too, which counts as empty
//   immutable      an update leaves it as it is; of fields of the object and of its structs
//   enum=A,B       one of these
//   range=A..B     a number from A to B; nothing behind the dots: no upper bound
//   most=N         a list of at most N
//   unique=F       a list whose elements do not share a field F
//   one=F,G        of "." alone: exactly one of these fields is there
//   exclusive=F,G  of "." alone: the same, and who names more is told which; the first one counts
//   anything else  the name of a format, in field_checks.cc; of a list: of each element
//
// A value that is absent or an empty string passes everything but "required" and "always".
namespace basalt::apiserver {

// What a type needs beyond its rows. `fill` comes after the rows of the type and of all in it.
struct TypeHooks {
  std::string_view type;
  void (*fill)(json::object& value) = nullptr;
  void (*check)(const json::object& value, const std::string& path, FieldErrors& errors) = nullptr;
};
// Each in the file that its name says.
std::span<const TypeHooks> SelectorHooks();   // object_meta.cc
std::span<const TypeHooks> PodSpecHooks();    // pod_spec_checks.cc
std::span<const TypeHooks> ContainerHooks();  // container_checks.cc
std::span<const TypeHooks> AffinityHooks();   // affinity_checks.cc
std::span<const TypeHooks> VolumeHooks();     // volume_checks.cc
std::span<const TypeHooks> JobHooks();        // job.cc
std::span<const TypeHooks> NetworkHooks();    // network.cc
std::span<const TypeHooks> WebhookHooks();    // webhook_configuration.cc

// The text of fields.txt.
std::string_view FieldRulesText();

// Fills in what was left out of an object of a built-in kind.
void FillDefaults(json::object& object, const TypeSchema& kind);
// All that is desired of it: everything but its metadata and status.
void CheckDesired(const json::object& object, const TypeSchema& kind, FieldErrors& errors);
// Its status alone.
void CheckStatus(const json::object& object, const TypeSchema& kind, FieldErrors& errors);
// That immutable fields are what they were.
void CheckImmutable(const json::object& object, const json::object& old, const TypeSchema& kind,
                    FieldErrors& errors);

}  // namespace basalt::apiserver
