#include "cli/reference_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string_view>

#include "cli/command_guide.h"
#include "cli/command_line.h"
#include "cli/json_fields.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// In a cell of a table.
std::string MarkdownCell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string FlagRow(const FlagInfo& flag) {
  const std::string names = fmt::format("{}", fmt::join(flag.names, "`, `"));
  const bool has_default = !flag.standard.empty() && flag.standard != "[]" && flag.standard != "{}";
  return fmt::format(
      "| `{}`{} | {} | {} |\n", names, flag.value.empty() ? "" : " " + MarkdownCell(flag.value),
      MarkdownCell(flag.about), has_default ? "`" + MarkdownCell(flag.standard) + "`" : "");
}

void AddTable(std::string& out, const std::vector<FlagInfo>& flags, bool log) {
  std::string rows;
  for (const FlagInfo& flag : flags) {
    if ((flag.group == kLogGroup) == log) rows += FlagRow(flag);
  }
  if (!rows.empty()) out += "\n| flag | what it does | default |\n|---|---|---|\n" + rows;
}

std::string TypeOf(const json::object& schema) {
  const std::string type = TextAt(&schema, "type");
  if (type == "array") {
    const json::object* items = ObjectAt(schema, {"items"});
    return "list of " + (items ? TypeOf(*items) : "anything");
  }
  if (type == "object" && !ObjectAt(schema, {"properties"})) {
    const json::object* values = ObjectAt(schema, {"additionalProperties"});
    return values ? "map of " + TypeOf(*values) : "object";
  }
  const json::value* either = schema.if_contains("x-kubernetes-int-or-string");
  return either && *either == true ? "integer or string" : type.empty() ? "anything" : type;
}

std::string AboutField(const json::object& schema) {
  std::string about = TextAt(&schema, "description");
  std::vector<std::string> words;
  for (const json::value& word : ArrayAt(&schema, "enum")) {
    if (word.is_string() && !word.get_string().empty()) words.emplace_back(word.get_string());
  }
  if (!words.empty()) {
    about += fmt::format("{}One of {}.", about.empty() ? "" : " ", fmt::join(words, ", "));
  }
  return about;
}

// Deep enough for what is ours; templates of pods are Kubernetes'.
constexpr int kMostLevels = 5;

void AddFields(std::string& out, const json::object& schema, const std::string& path, int level) {
  const json::object* properties = ObjectAt(schema, {"properties"});
  if (!properties || level > kMostLevels) return;
  for (const auto& [name, value] : *properties) {
    const json::object* field = value.if_object();
    if (!field) continue;
    if (level == 0 && name != "spec" && name != "status" && !ObjectAt(*field, {"properties"})) {
      if (name == "apiVersion" || name == "kind" || name == "metadata") continue;
    }
    const std::string where = path.empty() ? std::string(name) : path + "." + std::string(name);
    out += fmt::format("| `{}` | {} | {} |\n", where, TypeOf(*field),
                       MarkdownCell(AboutField(*field)));
    const json::object* items = ObjectAt(*field, {"items"});
    AddFields(out, items ? *items : *field, items ? where + "[]" : where, level + 1);
  }
}

}  // namespace

std::string CommandsReference(const CLI::App& app) {
  std::string out = "# Commands\n\nMade by `scripts/reference` from the program. ";
  out += "[Commands](../commands.md) tells how they go together.\n";
  for (const std::string_view group : CommandGroups()) {
    for (const CLI::App* command : CommandsOf(app)) {
      if (command->get_group() != group) continue;
      out += fmt::format("\n## basalt {}\n\n{}\n\n`{}`\n", command->get_name(),
                         command->get_description(), UsageOf(*command, "basalt"));
      const auto arguments = ArgumentsOf(*command);
      if (!arguments.empty()) out += "\n| argument | what it is |\n|---|---|\n";
      for (const ArgumentInfo& argument : arguments) {
        out += fmt::format("| `{}` | {} |\n", argument.name, MarkdownCell(argument.about));
      }
      AddTable(out, FlagsOf(*command), false);
      const auto examples = ExamplesOf(command->get_name());
      if (!examples.empty()) out += "\n";
      for (const Example& example : examples) {
        out += fmt::format("- {}: `basalt {}`\n", example.about, example.command);
      }
    }
  }
  out += "\n## Flags of every command\n";
  if (const auto commands = CommandsOf(app); !commands.empty()) {
    AddTable(out, FlagsOf(*commands.front()), true);
  }
  return out;
}

std::string CrdsReference(const std::vector<json::object>& crds) {
  std::string out =
      "# Custom resources\n\nMade by `scripts/reference` from the CRDs (`basalt crds`). Pod "
      "templates "
      "are Kubernetes' own and are not repeated here.\n";
  for (const json::object& crd : crds) {
    const json::object* spec = ObjectAt(crd, {"spec"});
    const json::object* names = ObjectAt(crd, {"spec", "names"});
    for (const json::value& item : ArrayAt(spec, "versions")) {
      const json::object* version = item.if_object();
      if (!version) continue;
      std::vector<std::string> short_names;
      for (const json::value& name : ArrayAt(names, "shortNames")) {
        if (name.is_string()) short_names.emplace_back(name.get_string());
      }
      out += fmt::format(
          "\n## {} ({}/{})\n\n{}{}.\n\n| field | type | what it is |\n|---|---|---|\n",
          TextAt(names, "kind"), TextAt(spec, "group"), TextAt(version, "name"),
          TextAt(spec, "scope"),
          short_names.empty() ? ""
                              : fmt::format("; short names: `{}`", fmt::join(short_names, "`, `")));
      const json::object* schema = ObjectAt(*version, {"schema", "openAPIV3Schema"});
      if (schema) AddFields(out, *schema, "", 0);
    }
  }
  return out;
}

}  // namespace basalt::cli
