#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace basalt::bench {

// What becomes of a flag's value; false: it is none that the flag can have.
using TakeFlag = std::function<bool(const std::string& value)>;
using Flags = std::map<std::string, TakeFlag>;

inline TakeFlag Text(std::string* out) {
  return [out](const std::string& value) {
    *out = value;
    return true;
  };
}
// At least `least`.
inline TakeFlag Number(int* out, int least = 0) {
  return [out, least](const std::string& value) {
    *out = std::max(least, std::atoi(value.c_str()));
    return true;
  };
}

// Reads "--flag value" pairs; --json, which names the only form of the output, is accepted. false:
// what is wrong has been printed.
inline bool ReadFlags(int argc, char** argv, const Flags& flags) {
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--json") continue;
    if (i + 1 >= argc) {
      fmt::print(stderr, "{}: a value is missing\n", flag);
      return false;
    }
    const std::string value = argv[++i];
    const auto known = flags.find(flag);
    if (known == flags.end() || !known->second(value)) {
      fmt::print(stderr, "unknown flag or value: {} {}\n", flag, value);
      return false;
    }
  }
  return true;
}

}  // namespace basalt::bench
