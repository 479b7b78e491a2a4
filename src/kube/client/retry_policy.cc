#include "kube/client/retry_policy.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace basalt::kube {
namespace {

namespace json = boost::json;

// May pass by itself; whether the request was carried out is not known.
bool Passing(const Error& error) {
  switch (error.http_status) {
    case 0: return error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTimeout;
    case 500:
    case 502:
    case 503:
    case 504: return true;
    default: return false;
  }
}

// The server said "later" without having looked at the request.
bool TurnedAway(const ApiRequest& request, const Error& error) {
  // A certificate that is not trusted stays so: only what may pass is worth another attempt.
  if (error.unsent) return Passing(error);
  // To an eviction 429 is the answer itself: a disruption budget does not allow it now.
  if (error.http_status == 429) return !request.path.ends_with("/eviction");
  return error.http_status == 503 && error.retry_after.has_value();
}

bool IsFilled(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() && !value->get_string().empty();
}

}  // namespace

bool HasPrecondition(const ApiRequest& request) {
  boost::system::error_code failed;
  const json::value body = json::parse(request.body, failed);
  if (failed) return false;
  if (const json::array* operations = body.if_array()) {
    for (const json::value& operation : *operations) {
      const json::object* object = operation.if_object();
      const json::value* op = object == nullptr ? nullptr : object->if_contains("op");
      if (op != nullptr && op->is_string() && op->get_string() == "test") return true;
    }
    return false;
  }
  const json::object* object = body.if_object();
  const json::value* metadata = object == nullptr ? nullptr : object->if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return false;
  return IsFilled(metadata->get_object(), "resourceVersion");
}

bool MayRetry(const ApiRequest& request, const Error& error) {
  if (TurnedAway(request, error)) return true;
  if (!Passing(error)) return false;
  if (request.method == "GET" || request.method == "HEAD" || request.method == "DELETE") {
    return true;
  }
  if (request.method == "PUT" || request.method == "PATCH") return HasPrecondition(request);
  return false;
}

}  // namespace basalt::kube
