#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class Option;
}

namespace basalt::cli {

// Which flags of a command are for which of its verbs. A flag that would do nothing is refused: the
// user expects something of it. Owned by the command's flags; main thread only.
class VerbRules {
 public:
  void Add(const CLI::Option* option, std::vector<std::string> verbs);

  // "--image is for job run": the first flag that was given and is for other verbs. "": none.
  std::string Misplaced(std::string_view command, std::string_view verb) const;

 private:
  struct Rule {
    const CLI::Option* option;
    std::vector<std::string> verbs;
  };
  std::vector<Rule> rules_;
};

}  // namespace basalt::cli
