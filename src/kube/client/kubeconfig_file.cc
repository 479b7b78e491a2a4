#include "kube/client/kubeconfig_file.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <utility>

namespace basalt::kube {
namespace {

using Entries = std::map<std::string, KubeconfigEntry, std::less<>>;

std::unexpected<Error> BadFile(const std::string& file, std::string_view where,
                               std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("kubeconfig {}: {}: {}", file, where, why));
}

// A field that is a map or a list is kept as present, without a value worth reading: what needs
// those (exec, auth-provider) is refused by name.
Result<void> ReadFields(const YAML::Node& node, KubeconfigEntry& entry) {
  if (!node.IsDefined() || node.IsNull()) return {};
  if (!node.IsMap()) return BadFile(entry.file, entry.where, "must be a map");
  for (const auto& field : node) {
    if (!field.first.IsScalar())
      return BadFile(entry.file, entry.where, "has a key that is no name");
    if (field.second.IsNull()) continue;
    entry.fields[field.first.Scalar()] = field.second.IsScalar() ? field.second.Scalar() : "set";
  }
  return {};
}

// `list` is "clusters", `item` is "cluster".
Result<Entries> ReadEntries(const YAML::Node& root, const std::string& file,
                            const std::string& list, const std::string& item) {
  Entries entries;
  const YAML::Node nodes = root[list];
  if (!nodes.IsDefined() || nodes.IsNull()) return entries;
  if (!nodes.IsSequence()) return BadFile(file, list, "must be a list");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const YAML::Node node = nodes[i];
    const std::string position = fmt::format("{}[{}]", list, i);
    if (!node.IsMap()) return BadFile(file, position, "must be a map");
    const YAML::Node name = node["name"];
    if (!name.IsDefined() || !name.IsScalar() || name.Scalar().empty()) {
      return BadFile(file, position + ".name", "is missing");
    }
    KubeconfigEntry entry{.file = file, .where = fmt::format("{}[{}]", list, name.Scalar())};
    if (auto read = ReadFields(node[item], entry); !read) return std::unexpected(read.error());
    const std::string where = entry.where;
    if (!entries.emplace(name.Scalar(), std::move(entry)).second) {
      return BadFile(file, where, "is given twice");
    }
  }
  return entries;
}

Result<Kubeconfig> ReadRoot(const YAML::Node& root, const std::string& file) {
  Kubeconfig config;
  if (!root.IsDefined() || root.IsNull()) return config;  // an empty file is an empty configuration
  if (!root.IsMap()) return BadFile(file, "contents", "not a kubeconfig: must be a map");
  const YAML::Node kind = root["kind"];
  if (kind.IsDefined() && !kind.IsNull() && (!kind.IsScalar() || kind.Scalar() != "Config")) {
    return BadFile(file, "kind", "must be Config");
  }
  const YAML::Node current = root["current-context"];
  if (current.IsDefined() && current.IsScalar()) config.current_context = current.Scalar();
  auto clusters = ReadEntries(root, file, "clusters", "cluster");
  if (!clusters) return std::unexpected(clusters.error());
  auto users = ReadEntries(root, file, "users", "user");
  if (!users) return std::unexpected(users.error());
  auto contexts = ReadEntries(root, file, "contexts", "context");
  if (!contexts) return std::unexpected(contexts.error());
  config.clusters = std::move(*clusters);
  config.users = std::move(*users);
  config.contexts = std::move(*contexts);
  return config;
}

}  // namespace

std::string_view KubeconfigEntry::Get(std::string_view field) const {
  const auto found = fields.find(field);
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

void Kubeconfig::Merge(Kubeconfig other) {
  clusters.merge(other.clusters);
  users.merge(other.users);
  contexts.merge(other.contexts);
  if (current_context.empty()) current_context = std::move(other.current_context);
}

Result<Kubeconfig> ReadKubeconfigText(std::string_view text, const std::string& file) {
  try {
    return ReadRoot(YAML::Load(std::string(text)), file);
  } catch (const YAML::Exception& error) {
    return BadFile(file, fmt::format("line {}", error.mark.line + 1), error.msg);
  }
}

}  // namespace basalt::kube
