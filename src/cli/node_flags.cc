#include "cli/node_flags.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "kube/types/quantity.h"

namespace basalt::cli {

namespace json = boost::json;

void NodeFlags::AddTo(CLI::App& command) {
  command.add_option("--nodes", nodes, "how many simulated nodes to make; 0: none")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  command.add_option("--node-cpu", cpu, "CPUs of each")->capture_default_str();
  command.add_option("--node-memory", memory, "memory of each")->capture_default_str();
  command.add_option("--node-pods", pods, "pods that each may run")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command.add_option("--node-gpu", gpu, "nvidia.com/gpu of each")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--node-zones", zones, "spread them over zones zone-1, zone-2, …; 0: no zones")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
}

Result<void> NodeFlags::Check() const {
  const auto check = [](std::string_view flag, const std::string& text) -> Result<void> {
    const auto quantity = kube::Quantity::Parse(text);
    if (!quantity || quantity->Sign() < 0) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: \"{}\": {}", flag, text,
                              quantity ? "must not be negative" : quantity.error().message));
    }
    return {};
  };
  if (auto ok = check("--node-cpu", cpu); !ok) return ok;
  return check("--node-memory", memory);
}

std::string NodeFlags::NodeJson(int number) const {
  const std::string name = fmt::format("node-{:04}", number);
  json::object labels{{"kubernetes.io/hostname", name},
                      {"kubernetes.io/os", "linux"},
                      {"kubernetes.io/arch", "amd64"}};
  if (zones > 0) {
    labels["topology.kubernetes.io/zone"] = fmt::format("zone-{}", (number - 1) % zones + 1);
  }
  json::object resources{{"cpu", cpu}, {"memory", memory}, {"pods", std::to_string(pods)}};
  if (gpu > 0) resources["nvidia.com/gpu"] = std::to_string(gpu);
  return json::serialize(
      json::object{{"apiVersion", "v1"},
                   {"kind", "Node"},
                   {"metadata", json::object{{"name", name}, {"labels", std::move(labels)}}},
                   {"status", json::object{{"capacity", resources}, {"allocatable", resources}}}});
}

}  // namespace basalt::cli
