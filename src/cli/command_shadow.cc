#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <memory>
#include <span>
#include <string>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "cli/object_table.h"
#include "cli/showing.h"
#include "kube/client/config_follower.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

struct ShadowCommand {
  std::string verb;
  std::string file = "/tmp/basalt-shadow.json";
  AskFlags ask;  // output
  std::size_t most = 20;
};

struct CountLine {
  const char* key;
  const char* text;
};
constexpr CountLine kPods[] = {{"agreed", "agreed: the same node at about the same time"},
                               {"earlier", "earlier: the same node, sooner"},
                               {"later", "later: the other was first"},
                               {"elsewhere", "elsewhere: another node"},
                               {"only_ours", "never placed by the other"},
                               {"ahead", "would have a node now, and wait"}};
constexpr CountLine kEvictions[] = {{"both", "evicted by both"},
                                    {"only_theirs", "evicted by the other alone"},
                                    {"only_ours", "would have been evicted by this one alone"},
                                    {"fewer", "fewer evictions than the other"}};

std::string CountsText(const json::object& report, std::string_view part,
                       std::span<const CountLine> lines) {
  const json::object* counts = ObjectAt(report, {part});
  std::string out;
  for (const CountLine& line : lines) {
    out += fmt::format("{:>8}  {}\n", NumberAt(counts, line.key), line.text);
  }
  return out;
}

std::string EarlierText(const json::object& difference) {
  return difference.contains("secondsEarlier")
             ? fmt::format("{:.1f}s", DoubleAt(&difference, "secondsEarlier"))
             : "";
}

std::string ReportText(const json::object& report, std::size_t most) {
  std::string out =
      fmt::format("From {} to {}\n\nPods\n{}\nEvictions\n{}", TextAt(&report, "since"),
                  TextAt(&report, "until"), CountsText(report, "pods", kPods),
                  CountsText(report, "evictions", kEvictions));
  const json::array& differences = ArrayAt(&report, "differences");
  if (differences.empty()) return out;
  const std::size_t shown = std::min(differences.size(), most);
  const json::array newest(differences.end() - static_cast<std::ptrdiff_t>(shown),
                           differences.end());
  return out + fmt::format("\nThe newest {} of {} differences\n", shown, differences.size()) +
         ObjectTable("differences", newest,
                     {{"AT", TextCell({"at"})},
                      {"POD", TextCell({"pod"})},
                      {"WHAT", TextCell({"what"})},
                      {"OURS", TextCell({"ours"})},
                      {"THEIRS", TextCell({"theirs"})},
                      {"EARLIER", EarlierText}});
}

int RunShadow(const ShadowCommand& command) {
  const Result<std::string> text = kube::ReadConfigFile(command.file);
  if (!text) {
    PrintError(fmt::format(
        "{}; `basalt scheduler --shadow --shadow-report FILE` writes it every five seconds",
        text.error().message));
    return kExitFailure;
  }
  boost::system::error_code error;
  const json::value report = json::parse(*text, error);
  if (error || !report.is_object()) {
    PrintError(fmt::format("{} is no report of `basalt scheduler --shadow`", command.file));
    return kExitFailure;
  }
  fmt::print("{}", Formatted(command.ask, report, "", [&](const json::value& shown) {
               return ReportText(ObjectOf(shown), command.most);
             }));
  return kExitOk;
}

}  // namespace

void AddShadowCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<ShadowCommand>();
  CLI::App* shadow = app.add_subcommand(
      "shadow", "report: what `basalt scheduler --shadow` would have done otherwise");
  shadow->add_option("verb", command->verb, "report")->required()->check(OneOf({"report"}));
  shadow->add_option("file", command->file, "the report that the scheduler writes")
      ->capture_default_str();
  shadow->add_option("--differences", command->most, "how many of the newest are shown")
      ->capture_default_str();
  AddProgramOutputFlag(*shadow, command->ask);
  shadow->callback([command, &action] { action = [command] { return RunShadow(*command); }; });
}

}  // namespace basalt::cli
