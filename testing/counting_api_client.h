#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kube/client/api_client.h"

namespace basalt::testutil {

// Passes everything on and counts the writes, by what they are to: "POST pods/binding". Retries
// count again, as they do for the server. Loop thread only.
class CountingApiClient final : public kube::ApiClient {
 public:
  explicit CountingApiClient(kube::ApiClient& api) : api_(api) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    if (request.method != "GET") ++writes_[request.method + " " + KindOf(request.path)];
    api_.Send(std::move(request), std::move(handler));
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

  const std::map<std::string, int>& writes() const { return writes_; }
  int writes(const std::string& what) const {
    const auto it = writes_.find(what);
    return it == writes_.end() ? 0 : it->second;
  }
  void Clear() { writes_.clear(); }

 private:
  // ".../namespaces/default/pods/web-0/binding" → "pods/binding".
  static std::string KindOf(const std::string& path) {
    std::vector<std::string> parts;
    for (std::size_t at = 1; at <= path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      parts.push_back(path.substr(at, end - at));
      at = end + 1;
    }
    std::size_t first = parts[0] == "api" ? 2 : 3;
    if (parts.size() > first + 2 && parts[first] == "namespaces") first += 2;
    if (first >= parts.size()) return path;
    return parts.size() > first + 2 ? parts[first] + "/" + parts[first + 2] : parts[first];
  }

  kube::ApiClient& api_;
  std::map<std::string, int> writes_;
};

}  // namespace basalt::testutil
