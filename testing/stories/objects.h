#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::testutil {

// An object of a story as JSON, from its line: "pod a of=g cpu=1 on=n1". Words that a kind has for
// what most rows need; every other word is a path and what stands there:
// spec.preemptionPolicy=Never, metadata.labels."a/b"=c, spec.affinity={"podAffinity": …}.
boost::json::object ObjectOf(std::string_view kind, std::string_view name,
                             const std::vector<std::string>& words);

// The documents of a YAML text as JSON; fails the test where it is none.
std::vector<boost::json::value> Documents(std::string_view yaml);

// By spaces, but for those within brackets and quotes.
std::vector<std::string> Words(std::string_view line);

}  // namespace basalt::testutil
