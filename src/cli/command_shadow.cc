#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/parse.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"
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

void PrintCounts(const json::object& report, std::string_view part,
                 std::span<const CountLine> lines) {
  const json::object* counts = ObjectAt(report, {part});
  for (const CountLine& line : lines) {
    fmt::print("{:>8}  {}\n", NumberAt(counts, line.key), line.text);
  }
}

void PrintReport(const json::object& report, std::size_t most) {
  fmt::print("From {} to {}\n\nPods\n", TextAt(&report, "since"), TextAt(&report, "until"));
  PrintCounts(report, "pods", kPods);
  fmt::print("\nEvictions\n");
  PrintCounts(report, "evictions", kEvictions);
  const json::array& differences = ArrayAt(&report, "differences");
  if (differences.empty()) return;
  std::vector<std::vector<std::string>> rows = {{"AT", "POD", "WHAT", "OURS", "THEIRS", "EARLIER"}};
  const std::size_t first = differences.size() > most ? differences.size() - most : 0;
  for (std::size_t i = first; i < differences.size(); ++i) {
    const json::object* one = differences[i].if_object();
    const json::value* earlier = one ? one->if_contains("secondsEarlier") : nullptr;
    rows.push_back({TextAt(one, "at"), TextAt(one, "pod"), TextAt(one, "what"), TextAt(one, "ours"),
                    TextAt(one, "theirs"),
                    earlier && earlier->is_number()
                        ? fmt::format("{:.1f}s", earlier->to_number<double>())
                        : ""});
  }
  fmt::print("\nThe newest {} of {} differences\n{}", rows.size() - 1, differences.size(),
             TextTable(rows));
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
  if (!PrintForPrograms(command.ask, report)) PrintReport(report.get_object(), command.most);
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
  shadow->add_option("-o,--output", command->ask.output, "json or yaml; without it: text")
      ->type_name("FORM")
      ->check(OneOf({"json", "yaml"}));
  shadow->callback([command, &action] { action = [command] { return RunShadow(*command); }; });
}

}  // namespace basalt::cli
