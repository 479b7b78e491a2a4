#pragma once

#include <boost/json/value.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace basalt::conformance {

// Volcano's own scheduler tests as JSON files; ../shared/conformance beside the project has them
// and a README that explains the format.
struct CaseFile {
  std::string id;  // its path without .json
  std::filesystem::path path;
};

// Where the corpus is: --corpus, else $BASALT_CONFORMANCE, else ../shared/conformance seen from the
// project's root (found from where the test runs upwards). nullopt: nowhere.
std::optional<std::filesystem::path> FindCorpus(const std::string& from_flag);

// The session, probe and multicycle cases that are deterministic, have none of the tags that belong
// to later features, and use no plugin or action of the second wave. By id.
std::vector<CaseFile> SelectCases(const std::filesystem::path& corpus);

// Aborts with the path where the file is not JSON.
boost::json::value ReadJson(const std::filesystem::path& path);

}  // namespace basalt::conformance
