#include "cli/batch_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/common_flags.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {

void AddBatchFlags(CLI::App& command, BatchFlags& flags, std::vector<std::string> verbs,
                   NameLetters letters) {
  command.add_option("verb", flags.verb, fmt::format("{}", fmt::join(verbs, ", ")))
      ->required()
      ->check(OneOf(std::move(verbs)));
  command.add_option("name", flags.name, "its name");
  if (letters == NameLetters::kNamespaced) {
    command.add_option("-N,--name", flags.name_flag, "its name");
    AddNamespaceFlags(command, flags.ask, "its namespace; without it: that of the kubeconfig");
  } else {
    command.add_option("-n,-N,--name", flags.name_flag, "its name");
    AddAllNamespacesFlag(command, flags.ask, "as with other commands; these are in no namespace");
  }
  AddOutputFlag(command, flags.ask);
  AddListFlags(command, flags.ask,
               letters == NameLetters::kCluster ? WatchLetter::kTaken : WatchLetter::kYes);
  AddClusterFlags(command, flags.ask);
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
  auto session = ClusterSession::Open(flags.ask.kubeconfig, flags.ask.master);
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

Result<boost::json::array> ListItems(ClusterSession& cluster, const AskFlags& flags,
                                     kube::ApiRequest request) {
  if (!flags.selector.empty()) request.query.emplace_back("labelSelector", flags.selector);
  return ListItems(cluster, std::move(request));
}

boost::json::value ListOf(boost::json::array items) {
  return boost::json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
}

}  // namespace basalt::cli
