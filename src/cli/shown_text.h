#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>

// What comes from a cluster is written by its tenants: names, messages, annotations. A terminal
// would take some of it for commands (clear the screen, set the title, paste into the shell), turn
// the direction of a line around, or break a table in two. Everything that is printed goes through
// one of these.
namespace basalt::cli {

// `text` on one line: line breaks and tabs become spaces, and what a terminal acts upon is written
// as JSON would have it, \u001b. Bytes that are no UTF-8 become U+FFFD.
std::string OneLine(std::string_view text);

// The same with its line breaks, and what is behind the first of them indented: of a sentence of a
// server's that has several lines each is seen to belong to it.
std::string IndentedLines(std::string_view text);

// A copy in which every text and every key is one line: what tables and pages are made from.
boost::json::value ForPeople(const boost::json::value& value);

// Compact JSON on one line, with \u001b and the like in the place of what a terminal acts upon;
// numbers as people write them (0.25). YAML has another escape for the largest characters.
enum class Escapes { kJson, kYaml };
std::string JsonText(const boost::json::value& value, Escapes escapes = Escapes::kJson);

// How many columns of a terminal a text takes: wide characters two, accents none.
std::size_t DisplayWidth(std::string_view text);

}  // namespace basalt::cli
