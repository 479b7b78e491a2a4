#include "migrate/configuration_check.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <set>

namespace basalt::migrate {
namespace {

using Weight = Finding::Weight;
constexpr const char* kArea = "configuration";

struct Hint {
  std::string_view name;
  std::string_view text;
};

// What there is in the place of Volcano's that Basalt has not.
constexpr std::array kInstead{
    Hint{"rescheduling", "`basalt descheduler` moves pods"},
    Hint{"shuffle", "`basalt descheduler` moves pods"},
    Hint{"usage", "the descheduler's LoadAware looks at measured load"},
    Hint{"elect", "`reserve` and Reservations keep room"},
};

// What is configured the same and works otherwise.
constexpr std::array kOtherwise{
    Hint{"tdm", "hours are UTC, not the scheduler's local time"},
    Hint{"preempt",
         "victims that are not needed after all are given back; room is kept for whom it "
         "was made"},
    Hint{"reclaim",
         "victims that are not needed after all are given back; room is kept for whom it "
         "was made"},
};

std::string_view Find(const auto& hints, std::string_view name) {
  const auto found = std::ranges::find(hints, name, &Hint::name);
  return found == hints.end() ? std::string_view() : found->text;
}

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string LeaveOut(std::string_view name) {
  const std::string_view instead = Find(kInstead, name);
  return instead.empty() ? "leave it out: a configuration that names it is refused"
                         : fmt::format("leave it out: {}", instead);
}

// The message without the line, which is one of a text that the user never sees.
std::string WithoutLine(std::string_view message) {
  if (!message.starts_with("line ")) return std::string(message);
  const std::size_t colon = message.find(": ");
  return std::string(colon == std::string_view::npos ? message : message.substr(colon + 2));
}

std::vector<std::string> ActionsOf(const YAML::Node& root) {
  std::vector<std::string> actions;
  if (!root["actions"] || !root["actions"].IsScalar()) return actions;
  std::string_view text = root["actions"].Scalar();
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view name = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) actions.emplace_back(name);
  }
  return actions;
}

class ConfigurationCheck {
 public:
  explicit ConfigurationCheck(const Catalogue& catalogue) : catalogue_(catalogue) {}

  Findings Of(const YAML::Node& root) {
    if (!root.IsMap()) {
      Add(Weight::kBlocks, "it is no mapping of actions and tiers", "give Volcano's file");
      return std::move(findings_);
    }
    for (const std::string& action : ActionsOf(root)) LookAtAction(action, root);
    for (const YAML::Node& tier : root["tiers"]) {
      for (const YAML::Node& plugin : tier["plugins"]) LookAtPlugin(plugin);
    }
    LookAtRest(root);
    return std::move(findings_);
  }

 private:
  void Add(Weight weight, std::string what, std::string remedy) {
    findings_.push_back({weight, kArea, std::move(what), std::move(remedy)});
  }

  void LookAtAction(const std::string& name, const YAML::Node& root) {
    if (!Contains(catalogue_.actions, name)) {
      return Add(Weight::kBlocks, fmt::format("the action {} is not in Basalt", name),
                 LeaveOut(name));
    }
    if (const auto text = Find(kOtherwise, name); !text.empty()) {
      Add(Weight::kDiffers, fmt::format("the action {} works otherwise", name), std::string(text));
    }
    for (const YAML::Node& entry : root["configurations"]) {
      if (!entry.IsMap() || !entry["name"] || entry["name"].as<std::string>("") != name) continue;
      YAML::Node file;
      file["actions"] = name;
      file["configurations"].push_back(entry);
      Try(file, fmt::format("line {}, arguments of the action {}", entry.Mark().line + 1, name));
    }
  }

  void LookAtPlugin(const YAML::Node& plugin) {
    if (!plugin.IsMap() || !plugin["name"]) {
      return Add(Weight::kBlocks,
                 fmt::format("line {}: a plugin without a name", plugin.Mark().line + 1),
                 "name it");
    }
    const auto name = plugin["name"].as<std::string>("");
    const int line = plugin.Mark().line + 1;
    if (!Contains(catalogue_.plugins, name)) {
      return Add(Weight::kBlocks,
                 fmt::format("line {}: the plugin {} is not in Basalt", line, name),
                 LeaveOut(name));
    }
    YAML::Node file;
    file["actions"] = "allocate";
    file["tiers"][0]["plugins"].push_back(plugin);
    if (!Try(file, fmt::format("line {}", line))) return;  // what is wrong names the plugin
    if (const auto text = Find(kOtherwise, name); !text.empty()) {
      Add(Weight::kDiffers, fmt::format("line {}: the plugin {} works otherwise", line, name),
          std::string(text));
    }
  }

  bool Try(const YAML::Node& file, const std::string& where) {
    const Result<void> taken = catalogue_.check(YAML::Dump(file));
    if (taken) return true;
    Add(Weight::kBlocks, fmt::format("{}: {}", where, WithoutLine(taken.error().message)),
        "Volcano passes over it or takes the default; Basalt refuses it: correct it or leave it "
        "out");
    return false;
  }

  void LookAtRest(const YAML::Node& root) {
    static const std::set<std::string> known = {"actions", "tiers", "configurations", "metrics"};
    for (const auto& entry : root) {
      const auto key = entry.first.as<std::string>("");
      if (known.contains(key)) continue;
      Add(Weight::kBlocks,
          fmt::format("line {}: {} is no part of it", entry.first.Mark().line + 1, key),
          "leave it out");
    }
  }

  const Catalogue& catalogue_;
  Findings findings_;
};

}  // namespace

Findings CheckConfiguration(std::string_view yaml, const Catalogue& catalogue) {
  try {
    return ConfigurationCheck(catalogue).Of(YAML::Load(std::string(yaml)));
  } catch (const YAML::Exception& error) {
    return {{Weight::kBlocks, kArea, fmt::format("it cannot be read: {}", error.what()),
             "give Volcano's volcano-scheduler.conf"}};
  }
}

}  // namespace basalt::migrate
