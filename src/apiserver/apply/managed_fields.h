#pragma once

#include <expected>

#include "apiserver/apply/merge.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"
#include "base/clock.h"

// Which manager owns which field of an object (metadata.managedFields), and server-side apply,
// which goes by it. Pure functions of objects.
namespace basalt::apiserver {

// One manager's part.
struct ManagedEntry {
  std::string manager;
  bool applies = false;  // its operation: Apply or Update
  std::string api_version;
  std::string subresource;
  std::string time;
  FieldSet fields;
};
using ManagedFields = std::vector<ManagedEntry>;

ManagedFields ReadManagedFields(const json::object& object);
// Sets metadata.managedFields, or removes it where there is nothing to say.
void WriteManagedFields(ManagedFields managed, json::object& object);

// The manager that writes, and where.
struct FieldWriter {
  std::string manager;
  std::string api_version;
  std::string subresource;
  bool status_apart = true;  // the kind's status is written through its subresource alone
  Time now;
};

// An update from `before` to `after`: what it changes belongs to the writer from now on. The
// objects may carry managedFields, which are not looked at.
ManagedFields OwnChanges(ManagedFields managed, const json::object& before,
                         const json::object& after, const TypeSchema& type,
                         const FieldWriter& writer);

// Another manager set the field to something else.
struct FieldConflict {
  std::string with;  // the manager, as people read it
  std::string path;
};
struct ApplyRefusal {
  std::string message;  // what is wrong with the configuration; empty: conflicts
  std::vector<FieldConflict> conflicts;
};

// Server-side apply: `applied` merged into `live` (an empty object where there is none yet, with
// its kind's zero form as `zero`), without what the manager applied before and no longer does. The
// result carries its managedFields. `force` takes from others what they own.
struct ApplyRequest {
  const json::object& zero;
  const json::object& live;
  const json::object& applied;
  const TypeSchema& type;
  FieldWriter writer;
  bool force = false;
  bool creates = false;
};
std::expected<json::object, ApplyRefusal> ServerSideApply(const ApplyRequest& request);

}  // namespace basalt::apiserver
