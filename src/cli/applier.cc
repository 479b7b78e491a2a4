#include "cli/applier.h"

#include <fmt/core.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr Duration kRetryDiscovery = 50ms;
constexpr int kMostAttempts = 100;

std::string GroupPath(const std::string& api_version) {
  return (api_version.contains('/') ? "/apis/" : "/api/") + api_version;
}

}  // namespace

void Applier::Apply(std::vector<Manifest> manifests, Done done) {
  manifests_ = std::move(manifests);
  next_ = 0;
  attempts_ = 0;
  done_ = std::move(done);
  client_.loop().Post(scope_.Guard([this] { Next(); }));
}

void Applier::Finish(Result<void> result) {
  Done done = std::move(done_);
  done(std::move(result));
}

void Applier::Fail(std::string_view why) {
  const Manifest& manifest = current();
  Finish(basalt::Fail(ErrorCode::kInvalid, fmt::format("{}: {} {}: {}", manifest.origin,
                                                       manifest.kind, manifest.name, why)));
}

void Applier::Next() {
  if (next_ == manifests_.size()) return Finish({});
  const auto place = places_.find(current().api_version + " " + current().kind);
  if (place == places_.end()) return Discover();
  Send(place->second);
}

void Applier::Discover() {
  client_.Send(
      {.path = GroupPath(current().api_version)},
      scope_.Guard([this](Result<kube::ApiResponse> result) { OnDiscovered(std::move(result)); }));
}

void Applier::OnDiscovered(Result<kube::ApiResponse> result) {
  if (result) {
    boost::system::error_code error;
    const json::value list = json::parse(result->body, error);
    const json::object* object = list.if_object();
    const json::value* resources = object != nullptr ? object->if_contains("resources") : nullptr;
    if (resources != nullptr && resources->is_array()) {
      for (const json::value& entry : resources->get_array()) {
        const json::object& resource = entry.as_object();
        const std::string plural(resource.at("name").as_string());
        if (plural.contains('/')) continue;  // a subresource
        places_[current().api_version + " " + std::string(resource.at("kind").as_string())] = {
            plural, resource.at("namespaced").as_bool()};
      }
    }
  } else if (result.error().code != ErrorCode::kNotFound) {
    return Fail(result.error().message);
  }
  const auto place = places_.find(current().api_version + " " + current().kind);
  if (place != places_.end()) return Send(place->second);
  if (++attempts_ >= kMostAttempts) {
    return Fail(
        fmt::format("the server serves no kind {} in {}", current().kind, current().api_version));
  }
  retry_.Start(kRetryDiscovery, [this] { Next(); });
}

void Applier::Send(const Place& place) {
  attempts_ = 0;
  std::string path = GroupPath(current().api_version);
  if (place.namespaced) {
    path += "/namespaces/" + (current().ns.empty() ? "default" : current().ns);
  }
  path += "/" + place.plural;
  client_.Send({.method = "POST", .path = path, .body = json::serialize(current().object)},
               scope_.Guard([this, path](Result<kube::ApiResponse> result) {
                 OnCreated(path, std::move(result));
               }));
}

void Applier::OnCreated(const std::string& path, Result<kube::ApiResponse> result) {
  if (!result && result.error().code == ErrorCode::kAlreadyExists) {
    client_.Send({.method = "PATCH",
                  .path = path + "/" + current().name,
                  .body = json::serialize(current().object),
                  .content_type = "application/merge-patch+json"},
                 scope_.Guard([this](Result<kube::ApiResponse> patched) {
                   if (!patched) return Fail(patched.error().message);
                   ++next_;
                   Next();
                 }));
    return;
  }
  if (!result) return Fail(result.error().message);
  ++next_;
  Next();
}

}  // namespace basalt::cli
