#include "tests/conformance/corpus.h"

#include <boost/json/parse.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

namespace basalt::conformance {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

bool AnyOf(const std::string& list, const std::set<std::string>& names) {
  for (const char separator : {',', ';', '+', ' '}) {
    for (const std::string& part : Split(list, separator)) {
      if (names.contains(part)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::filesystem::path> FindCorpus(const std::string& from_flag) {
  namespace fs = std::filesystem;
  if (!from_flag.empty()) return fs::path(from_flag);
  if (const char* env = std::getenv("BASALT_CONFORMANCE")) return fs::path(env);
  for (fs::path at = fs::current_path();; at = at.parent_path()) {
    const fs::path candidate = at / ".." / "shared" / "conformance";
    if (fs::exists(at / "CMakeLists.txt") && fs::exists(candidate / "INDEX.tsv")) return candidate;
    if (at == at.root_path()) break;
  }
  // A work tree may stand one level deeper.
  for (fs::path at = fs::current_path(); at != at.root_path(); at = at.parent_path()) {
    const fs::path candidate = at / "shared" / "conformance";
    if (fs::exists(candidate / "INDEX.tsv")) return candidate;
  }
  return std::nullopt;
}

std::vector<CaseFile> SelectCases(const std::filesystem::path& corpus) {
  const std::set<std::string> kTags = {"hypernodes", "subgroups", "dra", "sharding"};
  const std::set<std::string> kPlugins = {"network-topology-aware",
                                          "task-topology",
                                          "resource-strategy-fit",
                                          "usage",
                                          "rescheduling",
                                          "extender",
                                          "numaaware",
                                          "deviceshare"};
  std::vector<CaseFile> cases;
  std::ifstream index(corpus / "INDEX.tsv");
  std::string line;
  std::getline(index, line);  // the header
  while (std::getline(index, line)) {
    const std::vector<std::string> field = Split(line, '\t');
    if (field.size() < 10) continue;
    const std::string& kind = field[9];
    if (kind != "session" && kind != "probe" && kind != "multicycle") continue;
    if (field[8] != "true") continue;
    if (field.size() > 10 && AnyOf(field[10], kTags)) continue;
    if (AnyOf(field[5], kPlugins)) continue;
    bool second_wave_action = false;
    for (const char* action : {"gangpreempt", "gangreclaim", "shuffle"}) {
      second_wave_action |= field[4].find(action) != std::string::npos;
    }
    if (second_wave_action) continue;
    cases.push_back({.id = field[0].substr(0, field[0].size() - 5), .path = corpus / field[0]});
  }
  return cases;
}

boost::json::value ReadJson(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(text.str(), error);
  if (error) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error.message().c_str());
    std::abort();
  }
  return value;
}

}  // namespace basalt::conformance
