#pragma once

#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/intent.h"

namespace basalt::testutil {

// What the scheduler decided, in the words of stories: "bind a n1". Several lines where pods leave
// for a promise.
std::vector<std::string> InWords(const model::Intent& intent);

// Who has how much: a line for each node, queue and job.
std::vector<std::string> BooksInWords(const model::Cluster& cluster);

}  // namespace basalt::testutil
