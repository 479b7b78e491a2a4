#pragma once

#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/annotations.h"
#include "scheduler/actions/registry.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

// Decisions of single actions, by small clusters. Volcano's own tables are in tests/conformance.
namespace basalt::scheduler {

// What a cycle decided about pods; nominated "": not any more.
struct Decisions {
  std::map<std::string, std::string> binds;
  std::vector<std::string> evicted;
  std::map<std::string, std::string> nominated;
};

// One cycle of these actions, each made with these arguments.
inline Decisions RunCycle(testutil::TestCluster& given, std::vector<std::string> actions,
                          std::initializer_list<std::string_view> plugin_names,
                          boost::json::object arguments = {}) {
  Config config = testutil::OneTier(plugin_names);
  config.actions = actions;
  const auto plugins = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  Session session(given.cluster, *plugins, testutil::kTestNow);
  for (const std::string& name : actions) {
    auto action = (*BuiltinActions().Find(name))(Arguments(arguments));
    EXPECT_TRUE(action.has_value());
    (*action)->Run(session);
  }
  EXPECT_EQ(given.cluster.CheckLedgers(), "");
  Decisions decisions;
  for (const model::Intent& intent : session.intents()) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      decisions.binds[bind->pod->meta.name] = bind->node;
    } else if (const auto* promise = std::get_if<model::Promise>(&intent)) {
      decisions.nominated[promise->pod->meta.name] = promise->node;
    }
    model::ForEachEviction(intent, [&](const model::Evict& evict) {
      decisions.evicted.push_back(evict.pod->meta.name);
    });
  }
  // What was promised and is not any more.
  session.intents().clear();
  session.Close();
  for (const model::Intent& intent : session.intents()) {
    const auto* promise = std::get_if<model::Promise>(&intent);
    if (promise && promise->node.empty()) decisions.nominated[promise->pod->meta.name] = "";
  }
  return decisions;
}

// The pod waits for its queue: still behind its gate, or admitted.
inline kube::Pod OptedIn(kube::Pod pod, bool gated) {
  const std::string gate(model::annotations::kQueueAllocationGate);
  pod.meta.annotations.Set(gate, "true");
  if (gated) pod.spec.scheduling_gates = {gate};
  return pod;
}

}  // namespace basalt::scheduler
