#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "cli/app.h"
#include "cli/colours.h"
#include "cli/command_guide.h"
#include "cli/completion.h"
#include "cli/flag_checks.h"
#include "cli/help_text.h"
#include "cli/program_names.h"
#include "cli/showing.h"
#include "cli/shown_text.h"
#include "cli/text_table.h"

namespace basalt::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

class WholeCommandLineTest : public testing::Test {
 protected:
  std::vector<std::string> Complete(std::vector<std::string> words) {
    return Candidates(*app_, words);
  }

  Action action_;
  LogFlags log_flags_;
  std::unique_ptr<CLI::App> app_ = MakeApp(action_, log_flags_);
};

TEST_F(WholeCommandLineTest, EveryCommandHasAGroupADescriptionAndExamplesThatParse) {
  for (const CLI::App* command : CommandsOf(*app_)) {
    const std::string& name = command->get_name();
    EXPECT_NE(command->get_description(), "") << name;
    EXPECT_NE(command->get_group(), "Subcommands") << name;
    const std::vector<Example> examples = ExamplesOf(name);
    EXPECT_THAT(examples, Not(IsEmpty())) << name;
    for (const Example& example : examples) {
      if (name == "help") continue;  // not CLI11's
      Action action;
      LogFlags log_flags;
      const auto app = MakeApp(action, log_flags);
      std::istringstream text{std::string(example.command)};
      std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
      std::ranges::reverse(words);
      EXPECT_NO_THROW(app->parse(words)) << example.command;
      EXPECT_TRUE(action) << example.command;
    }
  }
}

TEST_F(WholeCommandLineTest, TheSameFlagMeansTheSameEverywhere) {
  for (const char* name :
       {"queue", "podgroup", "job", "reservation", "defrag", "explain", "status"}) {
    const CLI::App* command = FindCommand(*app_, name);
    ASSERT_NE(command, nullptr) << name;
    std::vector<std::string> flags;
    for (const FlagInfo& flag : FlagsOf(*command)) {
      std::ranges::copy(flag.names, std::back_inserter(flags));
      if (std::ranges::find(flag.names, "--output") != flag.names.end()) {
        EXPECT_THAT(flag.words, ElementsAre("json", "yaml", "name", "wide")) << name;
      }
    }
    EXPECT_THAT(flags, IsSupersetOf({"-o", "--output", "-w", "--watch", "-l", "--label-selector",
                                     "-A", "--all-namespaces", "-k", "--kubeconfig", "--context",
                                     "-s", "--master"}))
        << name;
  }
}

TEST_F(WholeCommandLineTest, HelpHasTheWholeNameGroupsExamplesAndPlainTypes) {
  const std::string up = HelpText(*FindCommand(*app_, "up"), "basalt");
  EXPECT_THAT(up, HasSubstr("Usage: basalt up [flags]"));
  EXPECT_THAT(up, HasSubstr("--nodes N"));
  EXPECT_THAT(up, HasSubstr("(default 3)"));
  EXPECT_THAT(up, HasSubstr("Examples:\n  # three nodes, in memory\n  basalt up\n"));
  EXPECT_THAT(up, Not(HasSubstr("INT")));
  EXPECT_THAT(HelpText(*FindCommand(*app_, "queue"), "kubectl basalt"),
              HasSubstr("Usage: kubectl basalt queue VERB [NAME] [flags]"));
  const std::string all = HelpText(*app_, "basalt");
  EXPECT_THAT(all, HasSubstr("\nRoles of a cluster:\n  scheduler"));
  for (const std::string& text : {up, all}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(DisplayWidth(line), 100u) << line;
    }
  }
}

TEST_F(WholeCommandLineTest, TheManualPageNamesEveryCommandAndFlag) {
  const std::string page = ManPage(*app_);
  EXPECT_TRUE(page.starts_with(".TH BASALT 1"));
  for (const CLI::App* command : CommandsOf(*app_)) {
    EXPECT_THAT(page, HasSubstr(".SS \"basalt " + command->get_name()));
  }
  EXPECT_THAT(page, HasSubstr("\\-\\-data\\-dir"));
  EXPECT_THAT(page, HasSubstr("NO_COLOR"));
}

TEST_F(WholeCommandLineTest, CompletesCommandsVerbsFlagsAndValues) {
  EXPECT_THAT(Complete({"qu"}), ElementsAre("queue"));
  EXPECT_THAT(Complete({""}), IsSupersetOf({"up", "explain", "job"}));
  EXPECT_THAT(Complete({"queue", "cr"}), ElementsAre("create"));
  EXPECT_THAT(Complete({"queue", "list", "--out"}), ElementsAre("--output"));
  EXPECT_THAT(Complete({"queue", "list", "-o", ""}), ElementsAre("json", "yaml", "name", "wide"));
  EXPECT_THAT(Complete({"explain", "-n", "a", "po"}), ElementsAre("pod", "podgroup"));
  EXPECT_THAT(Complete({"explain", "pod", ""}), IsEmpty()) << "names are not known";
  EXPECT_THAT(Complete({"help", "com"}), ElementsAre("completion"));
  EXPECT_THAT(Complete({"nothing", ""}), IsEmpty());
  EXPECT_THAT(Complete({"up", "--nodes", ""}), IsEmpty());
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(CompletionScript(shell), HasSubstr("__complete --")) << shell;
  }
}

// What bash has in COMPREPLY, with a basalt that answers with what it was asked.
std::string CompletedByBash(const std::string& line, const std::string& at) {
  const std::string script = CompletionScript("bash") +
                             "basalt() { printf '<%s>' \"$@\"; }; complete() { :; }\n"
                             "COMP_WORDS=(" +
                             line + "); COMP_CWORD=" + at +
                             "; _basalt_complete; printf '%s' \"${COMPREPLY[*]}\"";
  const std::string file = testing::TempDir() + "/basalt-completion.bash";
  std::ofstream(file) << script;
  std::string out;
  if (FILE* shell = popen(("bash " + file + " 2>&1").c_str(), "r")) {
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) out += static_cast<char>(c);
    pclose(shell);
  }
  return out;
}

TEST(CompletionScriptTest, BashAsksForTheWordsUpToTheCursor) {
  EXPECT_EQ(CompletedByBash("basalt qu", "1"), "<__complete><--><qu>");
  EXPECT_EQ(CompletedByBash("basalt queue ''", "2"), "<__complete><--><queue><>");
  EXPECT_EQ(CompletedByBash("basalt queue li -o json", "2"), "<__complete><--><queue><li>");
  EXPECT_EQ(CompletedByBash("basalt queue get \"a b\" -", "4"),
            "<__complete><--><queue><get><a b><->");
}

TEST(OneOfTest, NamesTheWordsAndTheNearest) {
  const CLI::Validator check = OneOf({"list", "get"});
  EXPECT_EQ(check("list"), "");
  EXPECT_EQ(check("lst"), "\"lst\" is not one of list, get. Did you mean list?");
  EXPECT_EQ(check("zzzzz"), "\"zzzzz\" is not one of list, get.");
}

TEST(ProgramNameTest, AsAPluginOfKubectlItIsTheSame) {
  EXPECT_EQ(ProgramName("/usr/bin/kubectl-basalt"), "kubectl basalt");
  EXPECT_EQ(ProgramName("./basalt"), "basalt");
  EXPECT_THAT(ArgumentsByName("kubectl-basalt", {"queue", "list"}), ElementsAre("queue", "list"));
  EXPECT_THAT(ArgumentsByName("kubectl_complete-basalt", {"qu"}), ElementsAre("__complete", "qu"));
  EXPECT_THAT(ArgumentsByName("basalt", {"queue", "list", "-w"}),
              ElementsAre("queue", "list", "--watch"));
  EXPECT_THAT(ArgumentsByName("basalt", {"queue", "-w", "get", "q"}),
              ElementsAre("queue", "--watch", "get", "q"));
  EXPECT_THAT(ArgumentsByName("basalt", {"queue", "-w", "3", "create", "list"}),
              ElementsAre("queue", "-w", "3", "create", "list"));
  EXPECT_THAT(ArgumentsByName("vqueues", {"-w"}), ElementsAre("queue", "list", "--watch"));
  EXPECT_THAT(ArgumentsByName("vqueues", {"-n", "q", "-w"}),
              ElementsAre("queue", "get", "--name", "q", "--watch"));
  EXPECT_THAT(ArgumentsByName("basalt", {"queue", "create", "q", "-w", "3"}),
              ElementsAre("queue", "create", "q", "-w", "3"));
}

TEST(ColoursTest, AreForTerminalsAloneAndKeepColumnsStraight) {
  const std::vector<std::vector<std::string>> rows = {
      {"NAME", "PHASE", "X"}, {"a", "Running", "1"}, {"b█", "Pending", "2"}};
  EXPECT_EQ(TextTable(rows), "NAME   PHASE     X\na      Running   1\nb█     Pending   2\n");
  UseColours(true);
  const std::string painted = TextTable(rows);
  UseColours(false);
  EXPECT_THAT(painted, HasSubstr("\033[32mRunning\033[0m   1"));
  EXPECT_THAT(painted, HasSubstr("\033[1mNAME\033[0m   "));
}

TEST(ShowingTest, OfATableOnlyWhatChangedIsShownAgain) {
  EXPECT_EQ(NewLines("", "NAME  X\na  1\n"), "NAME  X\na  1\n");
  EXPECT_EQ(NewLines("NAME  X\na  1\nb  2\n", "NAME     X\na     1\nb     3\nlonger  4\n"),
            "b     3\nlonger  4\n");
}

TEST(ShowingTest, ThatSomethingGrowsOlderIsNoNews) {
  EXPECT_EQ(NewLines("NAME  AGE\na  119s\nb  47h\n", "NAME  AGE\na  2m\nb  2d\n"), "");
  EXPECT_EQ(NewLines("p  Pending  5s\n", "p  Running  6s\n"), "p  Running  6s\n");
  EXPECT_EQ(NewLines("p  1  5s\n", "p  2  5s\n"), "p  2  5s\n") << "a number is no age";
  EXPECT_EQ(NewLines("m  s  d\n", "m  s  h\n"), "m  s  h\n") << "nor is a letter";
}

TEST(ShowingTest, NamesAreThoseThatKubectlTakes) {
  AskFlags flags;
  flags.output = "name";
  const boost::json::object queue{{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                                  {"kind", "Queue"},
                                  {"metadata", boost::json::object{{"name", "q"}}}};
  const auto none = [](const boost::json::value&) { return std::string("table"); };
  EXPECT_EQ(Formatted(flags, queue, "x", none), "queue.scheduling.volcano.sh/q\n");
  EXPECT_EQ(
      Formatted(flags, boost::json::object{{"items", boost::json::array{queue, queue}}}, "x", none),
      "queue.scheduling.volcano.sh/q\nqueue.scheduling.volcano.sh/q\n");
  EXPECT_EQ(Formatted(flags, boost::json::object{{"name", "g"}}, "podgroup", none), "podgroup/g\n");
  flags.output = "wide";
  EXPECT_EQ(Formatted(flags, queue, "x", none), "table");
}

TEST(WrappedTest, BreaksBetweenWords) {
  EXPECT_EQ(Wrapped("one two three four five six", 2, 12 + 10), "one two three four\n  five six");
}

}  // namespace
}  // namespace basalt::cli
