#pragma once

#include "apiserver/core/core.h"
#include "apiserver/object/status.h"
#include "apiserver/rest/request.h"
#include "apiserver/storage/kind_registry.h"
#include "net/http.h"

namespace basalt::apiserver {

net::HttpResponse ResponseOf(const ApiStatus& status);

// One request for a resource, from its parsing to its answer. Shared by the callbacks that take
// part in answering it. Exactly one Reply or Refuse (or, for a watch, a stream). Where the handler
// has thrown instead, the call goes unanswered: it then answers for itself with a 500. Loop thread
// only.
struct Call {
  Call(Core& server, net::HttpRequest request, std::shared_ptr<net::HttpExchange> answers_to)
      : core(server), http(std::move(request)), exchange(std::move(answers_to)) {}
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Core& core;
  net::HttpRequest http;
  std::shared_ptr<net::HttpExchange> exchange;
  ResourcePath path;
  Query query;
  KindPtr kind;
  OutputFormat format;
  bool dry_run = false;
  bool owners_settled = false;  // a server-side apply has written metadata.managedFields
  std::vector<std::string> warnings;

  const KindInfo& info() const { return kind->info; }
  std::string Key() const { return kind->Key(path.ns, path.name); }
  // The object that the path names; null: there is none, which is then the answer.
  StoredPtr FindOrRefuse();
  // What admission is told of the call, but for the objects. `options`: "CreateOptions", …
  AdmissionRequest ForAdmission(Operation operation, std::string_view options);

  void Refuse(const ApiStatus& status) { Respond(ResponseOf(status)); }
  // Whether it went well; where it did not, why is the answer.
  template <class T>
  bool Passes(const ApiResult<T>& result) {
    if (!result) Refuse(result.error());
    return result.has_value();
  }
  // An object of the call's kind, in the form that was asked for.
  void Reply(int code, const StoredObject& object);
  void Reply(int code, const json::object& object);
  // As it is.
  void ReplyJson(int code, const json::object& object);
  void ReplyText(int code, std::string json);
  // A Status that says so, and `value` under `field`.
  void ReplySuccess(int code, std::string_view field, json::value value);
  // The one way out for all of these. What comes after the first is dropped.
  void Respond(net::HttpResponse response);
  void StartStream();

 private:
  bool answered_ = false;
};
using CallPtr = std::shared_ptr<Call>;

// Bearer tokens: the server's own, which may do everything, and those of service accounts, which
// are signed with it and end. There are no permissions here: every known user may do everything.

// A service account's token: header, claims and tag, as JSON Web Tokens have it. Clients read them.
std::string IssueToken(const Core& core, const json::object& account, const json::value& audiences,
                       Time expires);

// The user of a token ("admin", "system:serviceaccount:NS:NAME"); nothing: it is of no user.
std::optional<std::string> UserOfToken(const Core& core, std::string_view token);
// The user that sends a request; nothing: an unknown one. Where the server has no token of its own,
// every client is the admin.
std::optional<std::string> UserOf(const Core& core, const net::HttpRequest& request);

}  // namespace basalt::apiserver
