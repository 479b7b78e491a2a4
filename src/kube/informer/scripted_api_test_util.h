#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "kube/client/api_client.h"

namespace basalt::kube {

inline std::string QueryOf(const ApiRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.query) {
    if (key == name) return value;
  }
  return "";
}

// An API server whose every word the test says.
class ScriptedApi final : public ApiClient {
 public:
  explicit ScriptedApi(Loop& loop) : loop_(loop) {}

  void Send(ApiRequest request, ApiHandler handler) override {
    lists.push_back({std::move(request), std::move(handler)});
  }
  std::unique_ptr<WatchStream> Watch(ApiRequest request, WatchObserver& observer) override {
    ++watches;
    watch_request = std::move(request);
    observer_ = &observer;
    return std::make_unique<Stream>(*this);
  }
  Loop& loop() override { return loop_; }

  bool watching() const { return observer_ != nullptr; }
  void Frame(const std::string& frame) {
    ASSERT_TRUE(watching());
    observer_->OnFrame(frame);
  }
  void End(Error error) {
    ASSERT_TRUE(watching());
    observer_->OnEnd(error);
  }

  struct Pending {
    ApiRequest request;
    ApiHandler handler;
  };
  std::deque<Pending> lists;
  ApiRequest watch_request;
  int watches = 0;

 private:
  struct Stream : WatchStream {
    explicit Stream(ScriptedApi& owner) : api(owner) {}
    ~Stream() override { api.observer_ = nullptr; }
    ScriptedApi& api;
  };
  Loop& loop_;
  WatchObserver* observer_ = nullptr;
};

inline std::string FrameOf(std::string_view type, std::string_view object) {
  return fmt::format(R"({{"type":"{}","object":{}}})", type, object);
}

}  // namespace basalt::kube
