#pragma once

#include <string>

#include "base/error.h"

namespace basalt::kube {

// What the client itself reads of a list: where the next page and a watch go on.
struct ListPage {
  std::string resource_version;
  std::string continue_token;  // empty: this was the last page
};

// `body` is unchanged but for its capacity.
Result<ListPage> ReadListPage(std::string& body);

}  // namespace basalt::kube
