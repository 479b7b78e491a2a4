#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The command line of a benchmark: a table of what it can be told, from which --help is written,
// too.
//
//   bench::ReadFlags(argc, argv, "Decisions a second of the scheduler's core.",
//                    {{"--case", bench::Choice(&kind, {"like", "distinct"})},
//                     {"--nodes", bench::Number(&nodes, 1)}});
namespace basalt::bench {

// What becomes of a value. `take` says what is wrong with it, or nothing.
struct Taker {
  std::function<std::string(const std::string& value)> take;
  std::string usual;      // "" of one that has to be given
  bool has_value = true;  // not: it is there, or it is not
};

// By its name; one without "--" in front is known by its place.
struct Flag {
  std::string name;
  Taker taker;
  bool positional() const { return !name.starts_with("--"); }
};

inline Taker Text(std::string* out) {
  return {.take =
              [out](const std::string& value) {
                *out = value;
                return std::string();
              },
          .usual = *out};
}

inline Taker Choice(std::string* out, std::vector<std::string> choices) {
  std::string all = fmt::format("{}", fmt::join(choices, "|"));
  return {.take =
              [out, choices = std::move(choices), all](const std::string& value) {
                *out = value;
                const bool known = std::ranges::find(choices, value) != choices.end();
                return known ? std::string() : fmt::format("one of {} is wanted", all);
              },
          .usual = std::move(all)};
}

// At least `least`.
inline Taker Number(int* out, int least = 0) {
  return {.take =
              [out, least](const std::string& value) {
                const char* end = value.data() + value.size();
                const auto [read, error] = std::from_chars(value.data(), end, *out);
                const bool good = error == std::errc() && read == end && *out >= least;
                return good ? std::string()
                            : fmt::format("a number of at least {} is wanted", least);
              },
          .usual = fmt::format("{}", *out)};
}

inline Taker Switch(bool* out) {
  return {.take =
              [out](const std::string&) {
                *out = true;
                return std::string();
              },
          .usual = {},
          .has_value = false};
}

inline std::string UsageOf(std::string_view program, std::string_view what,
                           const std::vector<Flag>& flags) {
  std::string usage = fmt::format("usage: {}", program.substr(program.rfind('/') + 1));
  for (const Flag& flag : flags) {
    const std::string& usual = flag.taker.usual;
    if (!flag.positional()) {
      usage += fmt::format(" [{}{}{}]", flag.name, flag.taker.has_value ? " " : "", usual);
    } else {
      usage += usual.empty() ? " " + flag.name : fmt::format(" [{}={}]", flag.name, usual);
    }
  }
  return fmt::format("{}\n{}\n", usage, what);
}

// Fills in what the command line says; --json, where it names the only form of the output, is
// accepted. --help, and what cannot be read, end the program.
inline void ReadFlags(int argc, char** argv, std::string_view what, std::vector<Flag> flags) {
  const std::string usage = UsageOf(argv[0], what, flags);
  const auto refuse = [&](const std::string& problem) {
    fmt::print(stderr, "{}\n{}", problem, usage);
    std::exit(2);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      fmt::print("{}", usage);
      std::exit(0);
    }
    const bool named = word.starts_with("--");
    const auto found = std::ranges::find_if(
        flags, [&](const Flag& flag) { return named ? flag.name == word : flag.positional(); });
    if (found == flags.end()) {
      if (word == "--json") continue;
      refuse(word + ": there is no such flag");
    }
    std::string value = word;
    if (named && found->taker.has_value) {
      if (++i == argc) refuse(word + ": a value is missing");
      value = argv[i];
    }
    const std::string problem = found->taker.take(value);
    if (!problem.empty()) refuse(fmt::format("{} {}: {}", found->name, value, problem));
    if (!named) flags.erase(found);
  }
  for (const Flag& flag : flags) {
    if (flag.positional() && flag.taker.usual.empty()) refuse(flag.name + " is missing");
  }
}

}  // namespace basalt::bench
