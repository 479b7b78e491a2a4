#include "cli/batch_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

constexpr const char* kPage = "500";

// Fills in `name` from the flag. "": fine; else what is wrong.
std::string TakeName(std::string_view command, BatchFlags& flags, TakesName takes) {
  if (!flags.name_flag.empty() && !flags.name.empty() && flags.name != flags.name_flag) {
    return fmt::format("two names are given, \"{}\" and \"{}\"", flags.name, flags.name_flag);
  }
  if (flags.name.empty()) flags.name = flags.name_flag;
  if (takes == TakesName::kMay || flags.name.empty() == (takes == TakesName::kNo)) return "";
  return fmt::format("{} {} {}", command, flags.verb,
                     takes == TakesName::kNo ? "takes no NAME" : "needs a NAME");
}

}  // namespace

void AddBatchFlags(CLI::App& command, BatchFlags& flags, std::vector<std::string> verbs,
                   std::vector<std::string> shown, NameLetters letters) {
  command.add_option("verb", flags.verb, fmt::format("{}", fmt::join(verbs, ", ")))
      ->required()
      ->check(OneOf(std::move(verbs)));
  command.add_option("name", flags.name, "its name");
  if (letters == NameLetters::kNamespaced) {
    command.add_option("-N,--name", flags.name_flag, "its name");
    AddNamespaceFlags(command, flags.ask, "its namespace; without it: that of the kubeconfig");
    flags.rules.Add(command.get_option("--all-namespaces"), {"list"});
  } else {
    command.add_option("-n,-N,--name", flags.name_flag, "its name");
    AddAllNamespacesFlag(command, flags.ask, "as with other commands; these are in no namespace");
  }
  AddOutputFlag(command, flags.ask);
  AddListFlags(command, flags.ask,
               letters == NameLetters::kCluster ? WatchLetter::kTaken : WatchLetter::kYes);
  flags.rules.Add(command.get_option("--label-selector"), {"list"});
  flags.rules.Add(command.get_option("--watch"), std::move(shown));
  AddClusterFlags(command, flags.ask);
}

int RunVerb(std::string_view command, BatchFlags& flags, const std::string& wrong,
            const std::vector<BatchVerb>& verbs) {
  const BatchVerb& verb = *std::ranges::find(verbs, flags.verb, &BatchVerb::word);
  std::string problem = wrong;
  if (problem.empty()) problem = flags.rules.Misplaced(command, flags.verb);
  if (problem.empty()) problem = TakeName(command, flags, verb.name);
  if (!problem.empty()) {
    PrintError(problem);
    return kExitUsage;
  }
  auto session = ClusterSession::Open(flags.ask.cluster);
  if (!session) return Refused(session.error());
  if (flags.ask.ns.empty()) flags.ask.ns = (*session)->ns();
  return verb.run(**session);
}

std::string PathOf(const kube::Resource& resource, const std::string& ns, const std::string& name) {
  return resource.Path(net::PercentEncode(ns), net::PercentEncode(name));
}

Result<boost::json::array> ListItems(ClusterSession& cluster, kube::ApiRequest request) {
  boost::json::array items;
  std::string next;
  request.query.emplace_back("limit", kPage);
  do {
    kube::ApiRequest page = request;
    if (!next.empty()) page.query.emplace_back("continue", next);
    auto list = cluster.Send(std::move(page));
    if (!list) return std::unexpected(list.error());
    std::ranges::copy(ItemsOf(*list), std::back_inserter(items));
    next = MetaText(ObjectOf(*list), "continue");
  } while (!next.empty());
  return items;
}

Result<boost::json::array> ListObjects(ClusterSession& cluster, const kube::Resource& resource,
                                       const std::string& ns, const Choice& choice) {
  kube::ApiRequest request{.path = PathOf(resource, ns)};
  if (!choice.labels.empty()) request.query.emplace_back("labelSelector", choice.labels);
  if (!choice.fields.empty()) request.query.emplace_back("fieldSelector", choice.fields);
  auto items = ListItems(cluster, std::move(request));
  if (!items) return items;
  boost::json::array objects;
  for (boost::json::value& item : *items) {
    if (!item.is_object()) continue;
    boost::json::object& object = item.get_object();
    object.emplace("kind", resource.kind);  // lists of Kubernetes' own kinds leave it out
    object.emplace("apiVersion", resource.ApiVersion());
    objects.push_back(std::move(item));
  }
  return objects;
}

boost::json::value ListOf(boost::json::array items) {
  return boost::json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
}

}  // namespace basalt::cli
