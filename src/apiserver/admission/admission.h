#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/object/kind.h"
#include "apiserver/object/object_reader.h"
#include "apiserver/object/status.h"
#include "base/loop.h"

namespace basalt::apiserver {

class WebhookCaller;  // admission/webhook_caller.h

enum class Operation { kCreate, kUpdate, kDelete, kConnect };

// One write on its way in, after decoding and defaulting.
struct AdmissionRequest {
  const KindInfo* kind = nullptr;
  std::string subresource;  // "status", "binding", "eviction", "scale" or ""
  Operation operation = Operation::kCreate;
  std::string ns;                          // empty for kinds without one
  std::string name;                        // may be empty when the server generates it
  json::object object;                     // what is to be written; empty for a delete
  std::optional<json::object> old_object;  // of an update or a delete
  json::object options;  // CreateOptions, UpdateOptions, DeleteOptions as the webhook sees them
  bool dry_run = false;
  std::string user = "system:admin";
  // Where what webhooks warn of goes, whatever comes of the request; null: nowhere. Lives as long
  // as `kind`.
  std::vector<std::string>* warnings = nullptr;

  // What the object is where it is not of the request's kind, as with pods/binding and scale.
  std::string object_api_version;
  std::string object_kind;
};

// What stands between a decoded request and the store: namespace life cycle, priority classes,
// default tolerations, storage defaults and the registered webhooks. Built-in steps first, in
// kube-apiserver's order. Loop thread only.
//
// `done` runs exactly once: before the call returns where no webhook has to be asked, else later on
// the loop. `request.kind` must live until then.
class Admission {
 public:
  // `webhooks` may be null: then no webhook is ever called.
  Admission(Loop& loop, const ObjectReader& objects, WebhookCaller* webhooks);
  ~Admission();

  // First half: may change the object. Gives back the object as it is to be validated; after a
  // webhook's patch it has been conformed and defaulted again.
  using MutateDone = std::move_only_function<void(ApiResult<json::object>)>;
  void Mutate(AdmissionRequest request, MutateDone done);

  // Second half, after the kind's own validation: only says yes or no.
  using ValidateDone = std::move_only_function<void(ApiResult<void>)>;
  void Validate(AdmissionRequest request, ValidateDone done);

  // Both halves. Between them `prepare` makes of the object what is validated, and then given back.
  using Prepare = std::move_only_function<ApiResult<json::object>(json::object)>;
  void Admit(AdmissionRequest request, Prepare prepare, MutateDone done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::apiserver
