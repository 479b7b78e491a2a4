#pragma once

#include <string>
#include <vector>

namespace basalt::testutil {

// What happens in a cluster where some are evicted for others, as data: the same scenario is played
// on virtual time (tests/pipelines) and on a real API server (tests/cluster).
struct EvictionScenario {
  struct Node {
    std::string name, cpu;
  };
  struct Queue {
    std::string name;
    std::string deserved;  // CPUs; "": nothing
  };
  struct Group {
    std::string name;
    int min_member = 1;
    std::string queue;
    std::string priority = {};  // "low", "high" or ""
  };
  struct Pod {
    std::string name, cpu, group;
    bool comes_back = false;  // made anew when it is evicted
  };
  // What is created together.
  struct Step {
    std::vector<Group> groups;
    std::vector<Pod> pods;
  };

  std::string id;  // as a test's name
  std::string name;
  std::vector<Node> nodes;
  std::vector<Queue> queues;
  Step first;                     // all of these pods run before anything else happens
  Step then;                      // they want what the first ones have
  Step late;                      // comes when the step before has been decided on
  std::vector<Node> later_nodes;  // come last of all, when all is quiet
  std::vector<std::string> run;   // these run in the end
  std::size_t evictions = 0;      // the fewest with which that can be
  bool nominates = true;          // whether anybody may be promised a node
};

// Volcano's issues 4947 (and seed 003's scenario), 5044 and 5131.
std::vector<EvictionScenario> EvictionScenarios();

}  // namespace basalt::testutil
