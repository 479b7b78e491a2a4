#pragma once

#include <string>
#include <vector>

namespace basalt::migrate {

// Something that is otherwise once Basalt runs in Volcano's place.
struct Finding {
  enum class Weight {
    kNote,     // good to know
    kDiffers,  // goes on, otherwise than with Volcano
    kBlocks,   // has to be dealt with before or at the switch
  };
  Weight weight = Weight::kNote;
  std::string area;    // "configuration", "kinds", "webhooks", "pods", …
  std::string what;    // a sentence about what is there
  std::string remedy;  // what to do, or what becomes of it
  bool operator==(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

}  // namespace basalt::migrate
