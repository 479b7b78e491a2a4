#include "cli/showing.h"

#include <fmt/core.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <chrono>
#include <cstdio>
#include <set>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/json_fields.h"
#include "cli/yaml_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr Duration kLookEvery = 1s;

// One space in the place of many.
std::string Squeezed(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  return out;
}

template <class Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// "queue.scheduling.volcano.sh/default", as kubectl has it.
std::string NameLine(const json::object& object, std::string_view kind) {
  std::string word = Lower(TextAt(&object, "kind"));
  const std::string version = TextAt(&object, "apiVersion");
  if (word.empty()) word = kind;
  if (const std::size_t slash = version.find('/'); slash != std::string::npos) {
    word += "." + version.substr(0, slash);
  }
  const json::object* meta = ObjectAt(object, {"metadata"});
  return word + "/" + TextAt(meta ? meta : &object, "name") + "\n";
}

std::string Names(const json::value& value, std::string_view kind) {
  const json::object* object = value.if_object();
  if (!object) return "";
  const json::value* items = object->if_contains("items");
  if (!items || !items->is_array()) return NameLine(*object, kind);
  std::string out;
  for (const json::value& item : items->get_array()) {
    if (item.is_object()) out += NameLine(item.get_object(), kind);
  }
  return out;
}

int Watch(const Show& show, const std::function<std::string(const std::string&)>& what_to_print) {
  bool worked = false;
  while (true) {
    const Result<std::string> text = show();
    if (!text) {
      PrintError(text.error().message);
      if (!worked) return kExitFailure;  // wrong from the start, and not a server that comes back
    } else {
      worked = true;
      fmt::print("{}", what_to_print(*text));
      if (std::fflush(stdout) != 0) return kExitOk;  // who read it has gone
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

int Once(const Show& show) {
  const Result<std::string> text = show();
  if (!text) return Refused(text.error());
  fmt::print("{}", *text);
  return kExitOk;
}

}  // namespace

std::string NewLines(const std::string& before, const std::string& now) {
  std::set<std::string> known;
  ForEachLine(before, [&](std::string_view line) { known.insert(Squeezed(line)); });
  std::string out;
  ForEachLine(now, [&](std::string_view line) {
    if (!known.contains(Squeezed(line))) out += std::string(line) + "\n";
  });
  return out;
}

int ShowOrWatch(const AskFlags& flags, const Show& show) {
  if (!flags.watch) return Once(show);
  const bool whole = flags.output == "json" || flags.output == "yaml";
  std::string before;
  return Watch(show, [&](const std::string& now) {
    std::string news = whole ? (now == before ? "" : now) : NewLines(before, now);
    if (flags.output == "yaml" && !news.empty() && !before.empty()) news = "---\n" + news;
    before = now;
    return news;
  });
}

int ShowOnScreen(const AskFlags& flags, const Show& show) {
  if (!flags.watch) return Once(show);
  if (!flags.output.empty() || isatty(STDOUT_FILENO) != 1) return ShowOrWatch(flags, show);
  return Watch(show, [](const std::string& now) { return "\033[H\033[2J" + now; });
}

std::string Formatted(const AskFlags& flags, const json::value& value, std::string_view kind,
                      const std::function<std::string()>& table) {
  if (flags.output == "json") return json::serialize(value) + "\n";
  if (flags.output == "yaml") return YamlText(value);
  return flags.output == "name" ? Names(value, kind) : table();
}

}  // namespace basalt::cli
