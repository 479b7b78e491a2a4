#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/asio_loop.h"
#include "kube/client/client.h"
#include "kube/client/http_api_client.h"
#include "kube/client/kubeconfig.h"
#include "tests/system/child_process.h"

namespace basalt::systemtest {

namespace json = boost::json;

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "basalt-up.XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// A test of `basalt up` as a process, through its kubeconfig.
class UpTest : public testing::Test {
 protected:
  // "ready URL kubeconfig PATH"
  ChildProcess Up(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"up", "--kubeconfig", kubeconfig_});
    return ChildProcess::Basalt(std::move(arguments));
  }
  // One request with the kubeconfig that `up` wrote.
  Result<json::value> Send(kube::ApiRequest request, bool with_token = true) {
    auto config = kube::LoadKubeconfig({kubeconfig_});
    if (!config) return std::unexpected(config.error());
    if (!with_token) config->token.clear();
    AsioLoop loop;
    auto api = kube::HttpApiClient::Create(loop, *config);
    if (!api) return std::unexpected(api.error());
    Result<kube::ApiResponse> answer = Fail(ErrorCode::kTimeout, "no answer");
    loop.Post([&] {
      (*api)->Send(std::move(request), [&](Result<kube::ApiResponse> result) {
        answer = std::move(result);
        loop.Stop();
      });
    });
    loop.Run();
    if (!answer) return std::unexpected(answer.error());
    return json::parse(answer->body);
  }
  // Asks again and again, for a minute.
  static bool Until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
    }
    return true;
  }
  // Asks until `done` is content.
  bool Eventually(const std::string& path, const std::function<bool(const json::value&)>& done) {
    return Until([&] {
      const auto answer = Send({.path = path});
      return answer && done(*answer);
    });
  }
  std::string WriteFile(std::string_view name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  TemporaryFolder folder_;
  std::string kubeconfig_ = folder_ / "kubeconfig";
};

}  // namespace basalt::systemtest
