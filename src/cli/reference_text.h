#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

namespace CLI {
class App;
}

// Pages of docs/reference that only the program itself can write (scripts/reference).
namespace basalt::cli {

// Every command with its arguments, flags and examples, as Markdown.
std::string CommandsReference(const CLI::App& app);

// Every field of the CRDs, as Markdown.
std::string CrdsReference(const std::vector<boost::json::object>& crds);

}  // namespace basalt::cli
