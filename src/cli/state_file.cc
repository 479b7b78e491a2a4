#include "cli/state_file.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <utility>
#include <variant>

#include "cli/atomic_file.h"
#include "cli/batch_flags.h"
#include "cli/cluster_session.h"
#include "cli/manifests.h"
#include "kube/types/codec.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

Result<void> AddAllOf(const kube::Resource& resource, ClusterSession& cluster, json::array& out) {
  auto objects = ListObjects(cluster, resource, "");
  if (!objects && objects.error().code == ErrorCode::kNotFound) return {};  // not a kind of it
  if (!objects) return std::unexpected(objects.error().Wrap(std::string(resource.plural)));
  for (json::value& object : *objects) {
    if (json::value* meta = object.get_object().if_contains("metadata");
        meta && meta->is_object()) {
      meta->get_object().erase("managedFields");
    }
    out.push_back(std::move(object));
  }
  return {};
}

template <class... Kinds>
Result<json::array> AllOf(std::variant<Kinds...>*, ClusterSession& cluster) {
  json::array out;
  Result<void> done;
  const auto add = [&](const kube::Resource& resource) {
    if (done) done = AddAllOf(resource, cluster, out);
  };
  (add(kube::KindTraits<Kinds>::resource), ...);
  if (!done) return std::unexpected(done.error());
  return out;
}

}  // namespace

Result<std::size_t> RecordState(const AskFlags& flags, const std::string& path) {
  auto cluster = ClusterSession::Open(flags.cluster);
  if (!cluster) return std::unexpected(cluster.error());
  auto objects = AllOf(static_cast<scheduler::simulate::Object*>(nullptr), **cluster);
  if (!objects) return std::unexpected(objects.error());
  const std::size_t count = objects->size();
  const Result<void> written =
      WritePrivateFile(path, json::serialize(ListOf(*std::move(objects))) + "\n");
  if (!written) return std::unexpected(written.error());
  return count;
}

Result<std::vector<scheduler::simulate::Object>> ReadState(const std::string& path) {
  const auto manifests = ReadManifests(path);
  if (!manifests) return std::unexpected(manifests.error());
  std::vector<scheduler::simulate::Object> objects;
  for (const Manifest& manifest : *manifests) {
    if (!scheduler::simulate::IsKnownKind(manifest.object)) continue;
    auto object = scheduler::simulate::ParseObject(manifest.object, "default");
    if (!object) return std::unexpected(object.error().Wrap(manifest.origin));
    objects.push_back(*std::move(object));
  }
  if (objects.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                path +
                    " holds no object that a scheduler decides by: \"basalt simulate --record\" "
                    "writes such a file");
  }
  return objects;
}

}  // namespace basalt::cli
