#include "descheduler/service/cluster_world.h"

#include <algorithm>

#include "model/group_of.h"

namespace basalt::descheduler {
namespace {

constexpr std::string_view kByGroup = "group";
constexpr std::string_view kByUid = "uid";
constexpr std::string_view kByNamespace = "namespace";

// "": it is of no PodGroup that exists as an object.
std::string GroupKeyOf(const kube::Pod& pod) {
  const model::GroupChoice choice = model::GroupOf(pod);
  if (choice.kind == model::GroupChoice::Kind::kShadow) return "";
  return kube::ObjectKey(pod.meta.ns, choice.name);
}

bool Stays(const kube::Pod& pod) { return !pod.meta.deleting() && !pod.terminal(); }

}  // namespace

ClusterWorld::ClusterWorld(Informers& informers) : informers_(informers) {
  informers.Of<kube::PodDisruptionBudget>().AddIndex(
      std::string(kByNamespace), [](const kube::PodDisruptionBudget& budget) {
        return std::vector<std::string>{budget.meta.ns};
      });
  kube::Informer<kube::Pod>& pods = informers.Of<kube::Pod>();
  pods.AddIndex(std::string(kByUid),
                [](const kube::Pod& pod) { return std::vector<std::string>{pod.meta.uid}; });
  pods.AddIndex(std::string(kByGroup), [](const kube::Pod& pod) {
    std::string key = GroupKeyOf(pod);
    if (key.empty()) return std::vector<std::string>();
    return std::vector<std::string>{std::move(key)};
  });
}

const kube::Pod* ClusterWorld::Pod(std::string_view ns, std::string_view name) const {
  return informers_.Of<kube::Pod>().store().Find(ns, name).get();
}

const kube::Node* ClusterWorld::Node(std::string_view name) const {
  return informers_.Of<kube::Node>().store().Find("", name).get();
}

const kube::Reservation* ClusterWorld::Reservation(std::string_view ns,
                                                   std::string_view name) const {
  return informers_.Of<kube::Reservation>().store().Find(ns, name).get();
}

bool ClusterWorld::BudgetForbids(const kube::Pod& pod) const {
  const auto& budgets = informers_.Of<kube::PodDisruptionBudget>().store();
  return std::ranges::any_of(budgets.FindByIndex(kByNamespace, pod.meta.ns),
                             [&](const auto& budget) {
                               return budget->disruptions_allowed <= 0 && budget->selector &&
                                      budget->selector->Matches(pod.meta.labels);
                             });
}

std::optional<GroupRoom> ClusterWorld::GroupOf(const kube::Pod& pod) const {
  const std::string key = GroupKeyOf(pod);
  if (key.empty()) return std::nullopt;
  const auto group = informers_.Of<kube::PodGroup>().store().Find(
      pod.meta.ns, std::string_view(key).substr(pod.meta.ns.size() + 1));
  if (!group) return std::nullopt;
  GroupRoom room{.name = key, .running = 0, .min_member = group->min_member};
  for (const auto& member : informers_.Of<kube::Pod>().store().FindByIndex(kByGroup, key)) {
    room.running += Stays(*member) && member->status.phase == kube::PodPhase::kRunning;
  }
  return room;
}

bool ClusterWorld::PodStays(std::string_view ns, std::string_view uid) const {
  const auto found = informers_.Of<kube::Pod>().store().FindByIndex(kByUid, uid);
  return std::ranges::any_of(found,
                             [&](const auto& pod) { return pod->meta.ns == ns && Stays(*pod); });
}

}  // namespace basalt::descheduler
