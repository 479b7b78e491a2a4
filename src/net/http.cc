#include "net/http.h"

#include <strings.h>

namespace basalt::net {

const std::string* FindHeader(const Headers& headers, std::string_view name) {
  for (const Header& header : headers) {
    if (header.name.size() == name.size() &&
        strncasecmp(header.name.data(), name.data(), name.size()) == 0) {
      return &header.value;
    }
  }
  return nullptr;
}

bool AnnouncesBody(const HttpRequest& request) {
  if (FindHeader(request.headers, "Transfer-Encoding") != nullptr) return true;
  const std::string* length = FindHeader(request.headers, "Content-Length");
  return length != nullptr && length->find_first_not_of('0') != std::string::npos;
}

}  // namespace basalt::net
