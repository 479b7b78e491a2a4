#pragma once

#include <algorithm>

#include "apiserver/object/field_errors.h"
#include "apiserver/object/object.h"
#include "base/clock.h"

namespace basalt::apiserver {

struct TypeSchema;  // schema/type_schema.h

struct TableColumn {
  std::string name;
  std::string type = "string";
  std::string format;
  std::string description;
  int priority = 0;  // above 0: only with -o wide
};

// What differs between kinds; the generic handlers (rest/) do everything else. Stateless and
// deterministic; shared by the served versions of the kind and the requests under way. Loop thread
// only.
class KindRules {
 public:
  virtual ~KindRules() = default;

  // Fills in what the user left out, on every write, before admission and validation.
  virtual void Default(json::object& object) const = 0;
  // Server-owned parts: clears status on create, keeps it on update, bumps generation.
  virtual void PrepareForCreate(json::object& object, Time now) const = 0;
  virtual void PrepareForUpdate(json::object& object, const json::object& old) const = 0;
  // Everything but status goes back to what it was.
  virtual void PrepareForStatusUpdate(json::object& object, const json::object& old) const = 0;

  virtual void Validate(const json::object& object, FieldErrors& errors) const = 0;
  virtual void ValidateUpdate(const json::object& object, const json::object& old,
                              FieldErrors& errors) const = 0;
  virtual void ValidateStatusUpdate(const json::object& object, const json::object& old,
                                    FieldErrors& errors) const = 0;

  // For kubectl's tables. A cell per column.
  virtual std::vector<TableColumn> Columns() const = 0;
  virtual json::array Cells(const json::object& object, Time now) const = 0;
  // What is to be said about a whole row: that its pod has completed, for one.
  virtual json::array RowConditions(const json::object& /*object*/) const { return {}; }

  // Field selectors beyond metadata.name and metadata.namespace; false: not a known field.
  virtual bool FieldValue(const json::object& object, std::string_view field,
                          std::string& value) const = 0;
};

// One resource that the server serves. Built-in kinds are listed in kinds/builtin.txt, the others
// come from CRDs and go with them.
struct KindInfo {
  std::string group;
  std::string version;
  std::string kind;
  std::string list_kind;  // "PodList"
  std::string plural;
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  bool namespaced = true;
  bool has_status = true;
  bool has_scale = false;
  std::vector<std::string> subresources;  // those that are no part of the object: "binding"
  bool graceful_deletion = false;         // pods: deletion waits for the kubelet
  bool orphans = false;                   // a deletion that says nothing leaves dependents alone
  bool collection_deletion = true;        // DELETE of the collection is served
  bool returns_deleted = false;       // a removal is answered with the object, not with a Status
  bool update_needs_version = false;  // a PUT must say which version it read
  bool put_creates = false;           // a PUT of what is not there creates it
  std::string idle;  // why no component acts on the kind's objects: told to a client that makes one
  const TypeSchema* schema = nullptr;  // of built-in kinds: field types, merge keys
  std::shared_ptr<const KindRules> rules;

  // Whether it has that subresource: "status", "scale", "binding", …
  bool Has(std::string_view subresource) const {
    if (subresource == "status") return has_status;
    if (subresource == "scale") return has_scale;
    return std::ranges::find(subresources, subresource) != subresources.end();
  }
  std::string ApiVersion() const { return group.empty() ? version : group + "/" + version; }
  // "pods", "deployments.apps": as error messages name it.
  std::string QualifiedResource() const { return group.empty() ? plural : plural + "." + group; }
};

}  // namespace basalt::apiserver
