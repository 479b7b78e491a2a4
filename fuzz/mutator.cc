#include "fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace basalt::fuzz {
namespace {

// Pieces of JSON, quantities, times, selectors, request paths, patches, schemas, paths into
// objects, conditions and configurations.
constexpr std::array<std::string_view, 112> kWords = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1e9",
    "1E-3",
    "1e400",
    "0.1",
    "1.5",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "\\u0000",
    "\\ud800",
    "\\uDFFF",
    "\xff",
    "\xc0\x80",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "\n",
    "\t",
    " ",
    "Ki",
    "Mi",
    "Gi",
    "Ti",
    "Pi",
    "Ei",
    "n",
    "u",
    "m",
    "k",
    "M",
    "G",
    "T",
    "P",
    "E",
    "e3",
    "E-6",
    "+",
    "-",
    ".",
    "=",
    "==",
    "!=",
    "!",
    " in (",
    " notin (",
    ")",
    "metadata.name=",
    "spec.nodeName!=",
    "/",
    "//",
    "/api/v1",
    "/apis/apps/v1",
    "/namespaces/default",
    "/pods",
    "/status",
    "?watch=true",
    "&limit=1",
    "&continue=",
    "%2F",
    "%00",
    "%",
    "..",
    "\"op\"",
    "\"add\"",
    "\"remove\"",
    "\"replace\"",
    "\"move\"",
    "\"copy\"",
    "\"test\"",
    "\"path\"",
    "\"from\"",
    "\"value\"",
    "~0",
    "~1",
    "/-",
    "$patch",
    "$retainKeys",
    "$deleteFromPrimitiveList/",
    "$setElementOrder/",
    "2026-01-01T00:00:00Z",
    ".000000001+14:00",
    "\"metadata\":{}",
    "\"items\":{}",
    "\"properties\":{\"a\":{}}",
    "\"default\":{}",
    "\"type\":\"array\"",
    "\"x-kubernetes-list-type\":\"set\"",
    "\"anyOf\":[{}]",
    "[*]",
    "[-1]",
    "[?(@.a==\"b\")]",
    "has(object.a)",
    "oldObject",
    " && ",
    " || ",
    " in [",
    "- plugins:",
    "  - name: ",
};

}  // namespace

// SplitMix64: small, and good enough to pick bytes.
uint64_t Mutator::Random() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

size_t Mutator::Below(size_t bound) { return bound == 0 ? 0 : Random() % bound; }

void Mutator::MutateOnce(const std::vector<std::string>& pool, std::string& input) {
  const size_t at = Below(input.size() + 1);
  const size_t length = Below(std::min<size_t>(input.size() - at, 32) + 1);
  switch (Below(8)) {
    case 0:  // flip a bit
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << Below(8)));
      break;
    case 1:  // any byte
      if (at < input.size()) input[at] = static_cast<char>(Random());
      break;
    case 2: input.erase(at, length); break;
    case 3: {  // copy a part to somewhere else
      const std::string part = input.substr(at, length);
      input.insert(Below(input.size() + 1), part);
      break;
    }
    case 4:  // repeat a part: nesting and long runs
      if (length > 0) {
        const std::string part = input.substr(at, std::min<size_t>(length, 4));
        for (size_t n = Below(64); n > 0; --n) input.insert(at, part);
      }
      break;
    case 5: {  // splice in a part of another input
      const std::string& other = pool[Below(pool.size())];
      const size_t from = Below(other.size() + 1);
      input.insert(at, other.substr(from, Below(64)));
      break;
    }
    case 6: input.insert(at, kWords[Below(kWords.size())]); break;
    case 7: input.replace(at, length, kWords[Below(kWords.size())]); break;
  }
}

std::string Mutator::Next(const std::vector<std::string>& pool, size_t max_size) {
  std::string input;
  if (Below(16) == 0) {
    input.resize(Below(64));
    for (char& c : input) c = static_cast<char>(Random());
  } else {  // half of the time one of the newest: what took a new path may lead on
    const size_t newest = std::min<size_t>(pool.size(), 32);
    input = Below(2) == 0 ? pool[pool.size() - 1 - Below(newest)] : pool[Below(pool.size())];
  }
  for (size_t n = Below(2) == 0 ? 1 : 1 + Below(8); n > 0; --n) MutateOnce(pool, input);
  if (input.size() > max_size) input.resize(max_size);
  return input;
}

}  // namespace basalt::fuzz
