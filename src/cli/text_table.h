#pragma once

#include <string>
#include <vector>

namespace basalt::cli {

using TextRows = std::vector<std::vector<std::string>>;

// Columns as wide as their widest cell, three spaces apart; the first row is the head. A cell is
// one line, whatever it is made from (shown_text.h). Words that stand for a state have colours
// where there are any (colours.h).
std::string TextTable(TextRows rows);

}  // namespace basalt::cli
