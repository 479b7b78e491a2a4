#include "workloads/child_object.h"

#include <boost/json/parse.hpp>

namespace basalt::workloads {

namespace json = boost::json;

namespace {

// As deep as the decoder that the template came through.
constexpr std::size_t kMostDepth = 1024;

}  // namespace

json::object ControllerReference(const kube::Resource& kind, const kube::ObjectMeta& owner) {
  return {{"apiVersion", kind.ApiVersion()},
          {"kind", kind.kind},
          {"name", owner.name},
          {"uid", owner.uid},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

json::value NullIfZero(std::int32_t count) {
  return count == 0 ? json::value() : json::value(count);
}

json::object& Child(json::object& object, std::string_view key) {
  json::value& value = object[key];
  if (!value.is_object()) value = json::object();
  return value.get_object();
}

json::object ParseTemplate(const kube::PodTemplate& pod_template) {
  json::parse_options options;
  options.max_depth = kMostDepth;
  options.allow_invalid_utf8 = true;
  boost::system::error_code error;
  json::value parsed = json::parse(pod_template.raw, error, {}, options);
  if (error || !parsed.is_object()) return {};
  return std::move(parsed.get_object());
}

json::object PodFromTemplate(const kube::PodTemplate& pod_template, const kube::Resource& kind,
                             const kube::ObjectMeta& owner, std::string_view name) {
  json::object pod = ParseTemplate(pod_template);
  pod["apiVersion"] = "v1";
  pod["kind"] = "Pod";
  json::object& meta = Child(pod, "metadata");
  // What a template's metadata may say but a new object must not.
  for (const std::string_view key : {"creationTimestamp", "generateName", "namespace", "uid"}) {
    meta.erase(key);
  }
  meta["name"] = name;
  meta["ownerReferences"] = json::array{ControllerReference(kind, owner)};
  return pod;
}

std::string NameSuffix(std::uint64_t bits, int length) {
  static constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  std::string suffix;
  for (int i = 0; i < length; ++i) {
    suffix += kAlphabet[bits % kAlphabet.size()];
    bits /= kAlphabet.size();
  }
  return suffix;
}

std::string GeneratedName(std::string_view prefix, std::uint64_t bits) {
  constexpr std::size_t kMostPrefix = 63 - 5;
  return std::string(prefix.substr(0, kMostPrefix)) + NameSuffix(bits);
}

std::uint64_t StableHash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace basalt::workloads
