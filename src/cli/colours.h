#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Colours are for people at a terminal: off unless UseColours turns them on, once, before anything
// is printed.
namespace basalt::cli {

// On where standard output is a terminal that knows colours and NO_COLOR is not set.
void UseColoursOnTerminals();
void UseColours(bool on);

enum class Colour { kGood, kWaiting, kBad, kHead, kFaint };
// `text` as it is where there are no colours.
std::string Paint(Colour colour, std::string_view text);
// A word that stands for a state (Running, Pending, Failed) in the colour of such; others as they
// are.
std::string PaintState(std::string_view text);

// Columns of the terminal that standard output is; 0: it is none, and lines may be as long as they
// like.
std::size_t TerminalWidth();

}  // namespace basalt::cli
