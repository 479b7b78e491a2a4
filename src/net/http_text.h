#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"

// Pieces of HTTP/1.1 on the wire.
namespace basalt::net {

// "Not Found"; a dash for codes without a name.
std::string_view ReasonPhrase(int status);

// "name: value\r\n". Line ends inside become spaces, so that no value can start a header of its
// own.
void AppendHeader(std::string& out, std::string_view name, std::string_view value);

// As the Date header has it: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string HttpDate(Time time);

}  // namespace basalt::net
