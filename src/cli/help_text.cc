#include "cli/help_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "cli/command_guide.h"
#include "cli/command_line.h"
#include "cli/shown_text.h"
#include "cli/version.h"

namespace basalt::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 34;

void AddEntry(std::string& out, std::string left, const std::string& about) {
  left = "  " + left;
  if (left.size() + 2 > kColumn) {
    out += left + "\n" + std::string(kColumn, ' ');
  } else {
    out += left + std::string(kColumn - left.size(), ' ');
  }
  out += Wrapped(about, kColumn, kWidth) + "\n";
}

std::string NamesOf(const FlagInfo& flag) {
  // Long names line up whether or not there is a short one.
  const bool has_short = flag.names.front().size() == 2;
  std::string names = fmt::format("{}{}", has_short ? "" : "    ", fmt::join(flag.names, ", "));
  return flag.value.empty() ? names : names + " " + flag.value;
}

std::string AboutFlag(const FlagInfo& flag) {
  const std::string& standard = flag.standard;
  const bool shows = !standard.empty() && standard != "[]" && standard != "{}";
  return shows ? fmt::format("{} (default {})", flag.about, standard) : flag.about;
}

// The groups in the order in which their first members come; the log's last.
template <class Entries, class GroupOf>
std::vector<std::string> GroupsOf(const Entries& entries, GroupOf group_of) {
  std::vector<std::string> groups;
  for (const auto& entry : entries) {
    const std::string group(group_of(entry));
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  std::ranges::stable_partition(groups, [](const std::string& g) { return g != kLogGroup; });
  return groups;
}

void AddFlags(std::string& out, const CLI::App& command) {
  const std::vector<FlagInfo> flags = FlagsOf(command);
  for (const std::string& group : GroupsOf(flags, [](const FlagInfo& f) { return f.group; })) {
    out += fmt::format("\n{}:\n", group);
    for (const FlagInfo& flag : flags) {
      if (flag.group == group) AddEntry(out, NamesOf(flag), AboutFlag(flag));
    }
  }
}

std::string HelpOfProgram(const CLI::App& app, std::string_view program) {
  std::string out = fmt::format("{}\n\nUsage: {}\n", app.get_description(), UsageOf(app, program));
  const auto commands = CommandsOf(app);
  for (const std::string_view group : CommandGroups()) {
    out += fmt::format("\n{}:\n", group);
    for (const CLI::App* command : commands) {
      if (command->get_group() != group) continue;
      std::string about = command->get_description();
      const std::string left = "  " + command->get_name();
      out += fmt::format("{:<16}{}\n", left, Wrapped(about, 16, kWidth));
    }
  }
  out +=
      fmt::format("\n\"{} help COMMAND\" or \"{} COMMAND --help\" tells of flags, with examples.\n",
                  program, program);
  return out;
}

std::string Troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '.' && (out.empty() || out.back() == '\n')) {
      out += "\\&.";
    } else if (c == '\'' && (out.empty() || out.back() == '\n')) {
      out += "\\&'";
    } else {
      out += c;
    }
  }
  return out;
}

void AddFlagsToPage(std::string& out, const std::vector<FlagInfo>& flags, bool log) {
  for (const FlagInfo& flag : flags) {
    if ((flag.group == kLogGroup) != log) continue;
    out += fmt::format(
        ".TP\n\\fB{}\\fR{}\n{}\n", Troff(fmt::format("{}", fmt::join(flag.names, ", "))),
        flag.value.empty() ? "" : " \\fI" + Troff(flag.value) + "\\fR", Troff(AboutFlag(flag)));
  }
}

}  // namespace

std::string Wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::size_t room = std::max<std::size_t>(width > indent ? width - indent : 0, 20);
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + DisplayWidth(word) > room) {
      out += "\n" + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += DisplayWidth(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string HelpText(const CLI::App& command, std::string_view program) {
  if (command.get_parent() == nullptr) return HelpOfProgram(command, program);
  std::string out = fmt::format("{}\n\nUsage: {}\n", Wrapped(command.get_description(), 0, kWidth),
                                UsageOf(command, program));
  if (const auto arguments = ArgumentsOf(command); !arguments.empty()) {
    out += "\nArguments:\n";
    for (const ArgumentInfo& argument : arguments) AddEntry(out, argument.name, argument.about);
  }
  if (const auto examples = ExamplesOf(command.get_name()); !examples.empty()) {
    out += "\nExamples:\n";
    for (const Example& example : examples) {
      out += fmt::format("  # {}\n  {} {}\n", example.about, program, example.command);
    }
  }
  AddFlags(out, command);
  return out;
}

std::string ManPage(const CLI::App& app) {
  std::string out = fmt::format(
      ".TH BASALT 1 \"\" \"basalt {}\" \"Basalt\"\n.SH NAME\nbasalt \\- batch scheduling for "
      "Kubernetes\n.SH SYNOPSIS\n.B basalt\n\\fICOMMAND\\fR [\\fIflags\\fR]\n.SH DESCRIPTION\n{}\n",
      Version(), Troff(app.get_description()));
  out += ".SH COMMANDS\n";
  for (const CLI::App* command : CommandsOf(app)) {
    out += fmt::format(".SS \"{}\"\n{}\n", Troff(UsageOf(*command, "basalt")),
                       Troff(command->get_description()));
    for (const ArgumentInfo& argument : ArgumentsOf(*command)) {
      out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", Troff(argument.name), Troff(argument.about));
    }
    AddFlagsToPage(out, FlagsOf(*command), false);
    for (const Example& example : ExamplesOf(command->get_name())) {
      out += fmt::format(".PP\n{}:\n.PP\n.RS\n.nf\nbasalt {}\n.fi\n.RE\n", Troff(example.about),
                         Troff(example.command));
    }
  }
  out += ".SH FLAGS OF EVERY COMMAND\n";
  if (const auto commands = CommandsOf(app); !commands.empty()) {
    AddFlagsToPage(out, FlagsOf(*commands.front()), true);
  }
  out +=
      ".SH ENVIRONMENT\n.TP\n\\fBKUBECONFIG\\fR\nthe cluster, where \\fB\\-\\-kubeconfig\\fR names "
      "none\n.TP\n\\fBNO_COLOR\\fR\nset to anything: no colours, also on a terminal\n.TP\n"
      "\\fBPOD_IP\\fR\nwhere others reach a scheduler that listens on every address\n"
      ".SH EXIT STATUS\n0: done. 1: it did not work; a sentence on standard error says why. 2: the "
      "command line makes no sense. 3: \\fBsimulate\\fR: some of it would wait; \\fBcheck\\fR: "
      "something differs. 4: \\fBcheck\\fR: something has to be dealt with.\n";
  return out;
}

}  // namespace basalt::cli
