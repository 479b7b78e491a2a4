#include "cli/batch_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {

void AddBatchFlags(CLI::App& command, BatchFlags& flags, std::vector<std::string> verbs,
                   NameLetters letters) {
  command.add_option("verb", flags.verb, fmt::format("{}", fmt::join(verbs, ", ")))
      ->required()
      ->check(CLI::IsMember(std::move(verbs)));
  command.add_option("name", flags.name, "its name");
  if (letters == NameLetters::kNamespaced) {
    command.add_option("-N,--name", flags.name_flag, "its name");
    command.add_option("-n,--namespace", flags.ask.ns,
                       "its namespace; without it: that of the kubeconfig");
    command.add_flag("-A,--all-namespaces", flags.all_namespaces, "with list: of all namespaces");
  } else {
    command.add_option("-n,-N,--name", flags.name_flag, "its name");
  }
  command.add_option("-k,--kubeconfig", flags.ask.kubeconfig,
                     "the cluster; without it: the pod's service account, $KUBECONFIG, "
                     "~/.kube/config");
  command.add_option("-s,--master", flags.master,
                     "the API server's URL; without it: that of the kubeconfig");
  command.add_option("-o,--output,--format", flags.ask.output, "json or yaml; without it: text")
      ->check(CLI::IsMember({"json", "yaml"}));
}

std::string TakeName(BatchFlags& flags, bool needed) {
  if (!flags.name_flag.empty() && !flags.name.empty() && flags.name != flags.name_flag) {
    return fmt::format("two names are given, \"{}\" and \"{}\"", flags.name, flags.name_flag);
  }
  if (flags.name.empty()) flags.name = flags.name_flag;
  if (needed && flags.name.empty()) return fmt::format("{} needs a NAME", flags.verb);
  return "";
}

Result<std::unique_ptr<ClusterSession>> OpenSession(BatchFlags& flags) {
  auto session = ClusterSession::Open(flags.ask.kubeconfig, flags.master);
  if (session && flags.ask.ns.empty()) flags.ask.ns = (*session)->ns();
  return session;
}

std::string PathOf(const kube::Resource& resource, const std::string& ns, const std::string& name) {
  return resource.Path(net::PercentEncode(ns), net::PercentEncode(name));
}

Result<boost::json::array> ListItems(ClusterSession& cluster, kube::ApiRequest request) {
  const auto list = cluster.Send(std::move(request));
  if (!list) return std::unexpected(list.error());
  return ArrayAt(list->if_object(), "items");
}

boost::json::value ListOf(boost::json::array items) {
  return boost::json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
}

}  // namespace basalt::cli
