#include "kube/types/pod_codec.h"

namespace basalt::kube::json {

bool ReadField(Reader& reader, std::string_view key, Value& value, ResourceRequirements& out) {
  if (key == "requests") return Read(reader, value, out.requests);
  if (key == "limits") return Read(reader, value, out.limits);
  if (key == "claims") {
    return ReadArray(reader, value, [&](Value&) { return out.has_claims = true; });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ContainerPort& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "containerPort") return Read(reader, value, out.container_port);
  if (key == "hostPort") return Read(reader, value, out.host_port);
  if (key == "hostIP") return Read(reader, value, out.host_ip);
  if (key == "protocol") {
    return ReadEnum(reader, value, out.protocol,
                    {{"UDP", Protocol::kUdp}, {"SCTP", Protocol::kSctp}}, Protocol::kTcp);
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Container& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "image") return Read(reader, value, out.image);
  if (key == "command") return Read(reader, value, out.command);
  if (key == "args") return Read(reader, value, out.args);
  if (key == "resources") return Read(reader, value, out.resources);
  if (key == "ports") return Read(reader, value, out.ports);
  if (key == "restartPolicy") return ReadIs(reader, value, "Always", out.restart_always);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ContainerState& out) {
  const auto state = [&](ContainerState::Kind kind) {
    out.kind = kind;
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "startedAt") return Read(reader, field, out.started_at);
      if (name == "finishedAt") return Read(reader, field, out.finished_at);
      if (name == "exitCode") return Read(reader, field, out.exit_code);
      if (name == "reason") return Read(reader, field, out.reason);
      if (name == "message") return Read(reader, field, out.message);
      return true;
    });
  };
  if (key == "running") return state(ContainerState::Kind::kRunning);
  if (key == "waiting") return state(ContainerState::Kind::kWaiting);
  if (key == "terminated") return state(ContainerState::Kind::kTerminated);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ContainerStatus& out) {
  const auto granted = [&]() -> ContainerStatus::Granted& {
    return out.granted ? *out.granted : out.granted.emplace();
  };
  if (key == "name") return Read(reader, value, out.name);
  if (key == "state") return Read(reader, value, out.state);
  if (key == "restartCount") return Read(reader, value, out.restart_count);
  if (key == "ready") return Read(reader, value, out.ready);
  if (key == "started") return Read(reader, value, out.started);
  if (key == "resources") return Read(reader, value, granted().resources);
  if (key == "allocatedResources") return Read(reader, value, granted().allocated_resources);
  return true;
}

}  // namespace basalt::kube::json
