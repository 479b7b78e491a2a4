#pragma once

#include <algorithm>
#include <compare>
#include <vector>

#include "scheduler/framework/extension_points.h"

// How the answers of several plugins become one. Each is Volcano's rule for its hooks, written
// once; plugin_set.h says which hook uses which.
namespace basalt::scheduler {

// The plugins that implement a point and have it switched on, tier by tier. Tiers without any are
// left out, which changes no rule.
template <class Point>
using Tiered = std::vector<std::vector<Point*>>;

// All must agree; none: true.
template <class Point, class Fn>
bool AllPass(const Tiered<Point>& tiers, Fn pass) {
  for (const auto& tier : tiers) {
    for (Point* plugin : tier) {
      if (!pass(*plugin)) return false;
    }
  }
  return true;
}

// The first that is not indifferent decides.
template <class Point, class Fn>
std::weak_ordering OrderChain(const Tiered<Point>& tiers, Fn compare) {
  std::weak_ordering order = std::weak_ordering::equivalent;
  AllPass(tiers, [&](Point& plugin) { return (order = compare(plugin)) == 0; });
  return order;
}

// The first refusal counts; none: ok.
template <class Point, class Fn>
Verdict FirstRefusal(const Tiered<Point>& tiers, Fn judge) {
  Verdict verdict;
  AllPass(tiers, [&](Point& plugin) { return (verdict = judge(plugin)).ok(); });
  return verdict;
}

// One is enough; none: false.
template <class Point, class Fn>
bool AnyOf(const Tiered<Point>& tiers, Fn test) {
  return !AllPass(tiers, [&](Point& plugin) { return !test(plugin); });
}

// All of the first tier that has any must agree; none: false.
template <class Point, class Fn>
bool FirstTierAll(const Tiered<Point>& tiers, Fn pass) {
  return !tiers.empty() &&
         std::ranges::all_of(tiers.front(), [&](Point* plugin) { return pass(*plugin); });
}

// A rejection ends the vote with no. A tier in which a plugin permits and none rejects ends it with
// yes. Where all abstain, or there is no plugin: yes.
template <class Point, class Fn>
bool TierVote(const Tiered<Point>& tiers, Fn vote) {
  for (const auto& tier : tiers) {
    bool permitted = false;
    for (Point* plugin : tier) {
      const Vote answer = vote(*plugin);
      if (answer == Vote::kReject) return false;
      permitted = permitted || answer == Vote::kPermit;
    }
    if (permitted) return true;
  }
  return true;
}

// The victims on which all of a tier agree; the first tier that leaves any decides. Quirks that
// stay: an opinion without any victim ends its tier (the next one starts afresh), and when the
// intersection becomes empty otherwise, the next plugin of the same tier starts it anew.
template <class Point, class Fn>
std::vector<const Task*> TierIntersection(const Tiered<Point>& tiers, Fn opinion) {
  for (const auto& tier : tiers) {
    std::vector<const Task*> victims;
    for (Point* plugin : tier) {
      VictimOpinion said = opinion(*plugin);
      if (said.abstain) continue;
      if (said.victims.empty()) {
        victims.clear();
        break;
      }
      if (victims.empty()) {
        victims = std::move(said.victims);
        continue;
      }
      std::erase_if(victims, [&](const Task* victim) {
        return std::ranges::find(said.victims, victim) == said.victims.end();
      });
    }
    if (!victims.empty()) return victims;
  }
  return {};
}

// What any plugin of a tier names, each once; the first tier that names any decides.
template <class Point, class Fn>
std::vector<const Task*> TierUnion(const Tiered<Point>& tiers, Fn find) {
  std::vector<const Task*> victims;
  for (const auto& tier : tiers) {
    for (Point* plugin : tier) {
      for (const Task* task : find(*plugin)) {
        if (std::ranges::find(victims, task) == victims.end()) victims.push_back(task);
      }
    }
    if (!victims.empty()) break;
  }
  return victims;
}

// Every plugin hears it.
template <class Point, class Fn>
void TellAll(const Tiered<Point>& tiers, Fn tell) {
  for (const auto& tier : tiers) {
    for (Point* plugin : tier) tell(*plugin);
  }
}

}  // namespace basalt::scheduler
