#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace basalt {

// One document of a file, as JSON.
struct YamlDocument {
  int number = 0;  // from 1, empty documents counted, as an editor's user would count them
  int line = 0;    // from 1: where its content begins
  boost::json::value value;
};

// Reads a stream of YAML documents (or of JSON values: YAML's flow style is nearly a superset, and
// a file that starts like JSON is tried as JSON first). Plain scalars are typed by YAML 1.2's core
// rules, plus a leading zero for octal, which Kubernetes takes in file modes; quoted ones stay
// strings. Anchors and merge keys are resolved. Refused: keys given twice, keys that are not
// scalars, numbers that JSON has not (.inf, .nan), tags other than YAML's own, and documents that
// aliases blow up beyond reason. Empty documents are left out. An error names the document and
// line.
Result<std::vector<YamlDocument>> ParseYaml(std::string_view text);

}  // namespace basalt
