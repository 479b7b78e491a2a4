#include "cli/showing.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <string_view>
#include <thread>

#include "base/ascii.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/json_fields.h"
#include "cli/shown_text.h"
#include "cli/yaml_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr Duration kLookEvery = 1s;

// "12m": how old something is. That it grows older is no news.
bool IsAge(std::string_view word) {
  return word.size() > 1 && std::string_view("smhd").contains(word.back()) &&
         std::ranges::all_of(word.substr(0, word.size() - 1), IsDigit);
}

// The words of a line without ages, whatever the width of its columns.
std::string WithoutAges(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (!word.empty() && !IsAge(word)) out += std::string(word) + " ";
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

// "queue.scheduling.volcano.sh/default", as kubectl has it.
std::string NameLine(std::string word, std::string_view api_version, std::string_view name) {
  if (const std::size_t slash = api_version.find('/'); slash != api_version.npos) {
    word += fmt::format(".{}", api_version.substr(0, slash));
  }
  return fmt::format("{}/{}\n", word, OneLine(name));
}

std::string NameLine(const json::object& object, std::string_view kind) {
  const std::string word = ToLower(TextAt(&object, "kind"));
  const json::object* meta = ObjectAt(object, {"metadata"});
  return NameLine(word.empty() ? std::string(kind) : word, TextAt(&object, "apiVersion"),
                  TextAt(meta ? meta : &object, "name"));
}

std::string Names(const json::value& value, std::string_view kind) {
  const json::value* items = ObjectOf(value).if_contains("items");
  if (!items || !items->is_array()) return NameLine(ObjectOf(value), kind);
  std::string out;
  for (const json::value& item : items->get_array()) out += NameLine(ObjectOf(item), kind);
  return out;
}

// A pipe or a terminal whose other end is closed: no reader would see what changes.
bool NobodyReads() {
  pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
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
      std::fflush(stdout);
    }
    std::this_thread::sleep_for(kLookEvery);
    if (NobodyReads() || std::ferror(stdout) != 0) return kExitOk;
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
  ForEachLine(before, [&](std::string_view line) { known.insert(WithoutAges(line)); });
  std::string out;
  ForEachLine(now, [&](std::string_view line) {
    if (!known.contains(WithoutAges(line))) out += std::string(line) + "\n";
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
                      const TextOf& text) {
  if (flags.output == "json") return JsonText(value) + "\n";
  if (flags.output == "yaml") return YamlText(value);
  return flags.output == "name" ? Names(value, kind) : text(ForPeople(value));
}

int ReportChange(const AskFlags& flags, const Result<json::value>& answer,
                 const kube::Resource& resource, const std::string& name,
                 const std::string& sentence) {
  if (!answer) return Refused(answer.error());
  // What a server answers to a deletion has no name of its own.
  fmt::print("{}", flags.output == "name"
                       ? NameLine(ToLower(resource.kind), resource.ApiVersion(), name)
                       : Formatted(flags, *answer, "",
                                   [&](const json::value&) { return OneLine(sentence) + "\n"; }));
  return kExitOk;
}

}  // namespace basalt::cli
