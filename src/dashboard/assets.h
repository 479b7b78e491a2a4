#pragma once

#include <span>
#include <string_view>

namespace basalt::dashboard {

// A file of the page, as ui/ was built into this binary.
struct Asset {
  std::string_view path;  // "/", "/app.js"
  std::string_view content_type;
  std::string_view content;
};

// All of them. Where the binary was built without Node.js it is one page that says so.
std::span<const Asset> Assets();

}  // namespace basalt::dashboard
