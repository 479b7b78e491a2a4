// deps: basalt_scheduler_actions basalt_scheduler_plugins basalt_scheduler_state
//
// Runs Volcano's own scheduler tests. Ends with "N passed, M failed". Cases that are known to
// differ are in known_differences.tsv with the reason; the test fails when that list and reality
// differ.
//   conformance_test [--corpus DIR] [--known FILE] [CASE...]

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/conformance/case_run.h"
#include "tests/conformance/corpus.h"

namespace basalt::conformance {
namespace {

// "id<TAB>reason" lines.
std::map<std::string, std::string> ReadKnown(const std::string& path) {
  std::map<std::string, std::string> known;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (line.empty() || line[0] == '#' || tab == line.npos) continue;
    known[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return known;
}

// From where the test runs upwards.
std::string FindKnown() {
  namespace fs = std::filesystem;
  for (fs::path at = fs::current_path(); at != at.root_path(); at = at.parent_path()) {
    const fs::path candidate = at / "tests" / "conformance" / "known_differences.tsv";
    if (fs::exists(candidate)) return candidate;
  }
  return "known_differences.tsv";
}

bool Wanted(const std::vector<std::string>& filters, const std::string& id) {
  for (const std::string& filter : filters) {
    if (id.find(filter) != id.npos) return true;
  }
  return filters.empty();
}

int Main(const std::vector<std::string>& args) {
  std::string corpus_flag;
  std::string known_path;
  std::vector<std::string> filters;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--corpus" && i + 1 < args.size()) {
      corpus_flag = args[++i];
    } else if (args[i] == "--known" && i + 1 < args.size()) {
      known_path = args[++i];
    } else {
      filters.push_back(args[i]);
    }
  }
  const auto corpus = FindCorpus(corpus_flag);
  if (!corpus || !std::filesystem::exists(*corpus / "INDEX.tsv")) {
    std::printf("skipped: the conformance corpus is not there (--corpus or BASALT_CONFORMANCE)\n");
    std::printf("0 passed, 0 failed, 1 skipped\n");
    return 0;
  }
  if (known_path.empty()) known_path = FindKnown();
  auto known = ReadKnown(known_path);

  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a case that aborts must not take the others with it
  int passed = 0, failed = 0, surprises = 0;
  for (const CaseFile& file : SelectCases(*corpus)) {
    if (!Wanted(filters, file.id)) continue;
    const boost::json::value value = ReadJson(file.path);
    const std::vector<std::string> complaints = CaseRun(value.as_object()).Run();
    const auto expected = known.find(file.id);
    if (complaints.empty()) {
      ++passed;
      if (expected != known.end()) {
        ++surprises;
        std::printf("SURPRISE %s\n    passes, but is listed in %s\n", file.id.c_str(),
                    known_path.c_str());
      }
      continue;
    }
    ++failed;
    if (expected == known.end()) ++surprises;
    std::printf("%s %s\n", expected == known.end() ? "FAILED" : "differs", file.id.c_str());
    for (const std::string& complaint : complaints) std::printf("    %s\n", complaint.c_str());
    if (expected != known.end()) std::printf("    known: %s\n", expected->second.c_str());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return surprises == 0 ? 0 : 1;
}

}  // namespace
}  // namespace basalt::conformance

int main(int argc, char** argv) {
  return basalt::conformance::Main(std::vector<std::string>(argv + 1, argv + argc));
}
