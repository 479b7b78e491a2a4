#include "cli/text_table.h"

#include <algorithm>

#include "cli/colours.h"
#include "cli/shown_text.h"

namespace basalt::cli {

std::string TextTable(TextRows rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = OneLine(row[i]);
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  std::string out;
  bool head = true;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += head ? Paint(Colour::kHead, row[i]) : PaintState(row[i]);
      if (i + 1 < row.size()) line += std::string(widths[i] - DisplayWidth(row[i]) + 3, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    head = false;
  }
  return out;
}

}  // namespace basalt::cli
