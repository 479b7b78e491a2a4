#pragma once

#include <string>
#include <vector>

namespace basalt::cli {

// Columns as wide as their widest cell, three spaces apart; the first row is the head. Words that
// stand for a state have colours where there are any (colours.h).
std::string TextTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace basalt::cli
