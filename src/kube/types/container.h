#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/types/boxed.h"
#include "kube/types/resource_list.h"

namespace basalt::kube {

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  bool has_claims = false;  // resourceClaims of the pod are used
  bool operator==(const ResourceRequirements&) const = default;
};

enum class Protocol : std::uint8_t { kTcp, kUdp, kSctp };

struct ContainerPort {
  std::string name;
  std::int32_t container_port = 0;
  std::int32_t host_port = 0;  // 0: none
  std::string host_ip;
  Protocol protocol = Protocol::kTcp;
  bool operator==(const ContainerPort&) const = default;
};

struct Container {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  ResourceRequirements resources;
  std::vector<ContainerPort> ports;
  // Of an init container: it starts in its turn and goes on running beside the others.
  bool restart_always = false;
  bool operator==(const Container&) const = default;
};

// What a container's state says. Waiting has a reason and a message; the times are of the others.
struct ContainerState {
  enum class Kind : std::uint8_t { kNone, kWaiting, kRunning, kTerminated };
  Kind kind = Kind::kNone;
  std::int32_t exit_code = 0;
  Time started_at{};
  Time finished_at{};
  std::string reason;
  std::string message;
  bool operator==(const ContainerState&) const = default;
};

struct ContainerStatus {
  // What the kubelet has granted and what is in force, which an in-place resize makes differ from
  // the spec. Decoding drops it where its requests are those of the spec.
  struct Granted {
    std::optional<ResourceRequirements> resources;
    ResourceList allocated_resources;
    bool operator==(const Granted&) const = default;
  };

  std::string name;
  ContainerState state;
  std::int32_t restart_count = 0;
  bool ready = false;
  bool started = false;
  Boxed<Granted> granted;
  bool operator==(const ContainerStatus&) const = default;
};

}  // namespace basalt::kube
