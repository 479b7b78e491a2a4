#pragma once

#include <functional>

#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"
#include "apiserver/object/status.h"

namespace basalt::apiserver {

// What rules that look beyond their own object (admission, eviction) may see of the others. Reading
// parses the stored text, so it costs microseconds an object: keep what is read often, and look at
// LastChange to know when to read it again. Outlives the rules; loop thread only.
class ObjectReader {
 public:
  virtual ~ObjectReader() = default;

  // `ns` is empty for kinds without one. Group "" is the core group.
  virtual std::optional<json::object> Get(std::string_view group, std::string_view plural,
                                          std::string_view ns, std::string_view name) const = 0;
  // Sorted by namespace and name; an empty `ns` means all.
  virtual std::vector<json::object> List(std::string_view group, std::string_view plural,
                                         std::string_view ns) const = 0;
  // The version of the last write to any object of the kind; 0: none ever.
  virtual std::uint64_t LastChange(std::string_view group, std::string_view plural) const = 0;
};

class WebhookCaller;  // admission/webhook.h

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

  // What the object is where it is not of the request's kind, as with pods/binding; lives as long,
  // too.
  const KindInfo* object_kind = nullptr;
};

// What stands between a decoded request and the store: namespace life cycle, priority classes,
// default tolerations, storage defaults and the registered webhooks. Built-in steps first, in
// kube-apiserver's order. Owned by the Core; loop thread only.
//
// `done` runs exactly once: before the call returns where no webhook has to be asked, else later on
// the loop. `request.kind` must live until then.
class Admission {
 public:
  // `webhooks` may be null: then no webhook is ever called.
  Admission(const ObjectReader& objects, WebhookCaller* webhooks);
  ~Admission();

  // Changes the object: the built-in steps, then the webhooks, after whose patches it is conformed
  // and defaulted again. Of that `prepare` makes what is validated, by webhooks that only say yes
  // or no, and then given back.
  using Prepare = std::move_only_function<ApiResult<json::object>(json::object)>;
  using Done = std::move_only_function<void(ApiResult<json::object>)>;
  void Admit(AdmissionRequest request, Prepare prepare, Done done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Addresses for services that ask for none, from 10.96.0.0/12. Nothing is routed here: clients only
// want to see that a service has one, and that no other has the same. Counts on from the highest
// that is taken, in the upper half, which leaves the lower one to services that ask for an address.
// Owned by the Admission; loop thread only.
class ServiceAddresses {
 public:
  std::string Next(const ObjectReader& objects);

 private:
  std::uint32_t last_ = 0;  // 0: what is taken has not been looked up
};

// What kube-apiserver's own admission plugins do to a write, in their order: the namespace must be
// there and stay, priority classes are resolved, pods tolerate a node's short absence, claims get
// the default storage class and are protected while in use, bound pods get their node's topology.
// Changes request.object or refuses. Deterministic.
ApiResult<void> AdmitBuiltin(AdmissionRequest& request, const ObjectReader& objects,
                             ServiceAddresses& addresses);

}  // namespace basalt::apiserver
