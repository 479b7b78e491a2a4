#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/server.h"
#include "net/http.h"
#include "testing/sim_loop.h"

namespace basalt::apiserver {

// What tests ask for most.
inline const std::string kMaps = "/api/v1/namespaces/default/configmaps";
inline const std::string kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
inline const std::string kJsonPatch = "application/json-patch+json";

// What the server said to one request.
struct Answer {
  int status = 0;  // 0: nothing yet
  std::string content_type;
  net::Headers headers;
  std::string body;
  boost::json::value json;  // the body; null where it is not JSON

  // The text at a dotted path: "metadata.name", "items.0.spec.x"; "" where there is none. What is
  // not a string is shown as JSON.
  std::string At(std::string_view path) const { return TextAt(json, path); }

  static std::string TextAt(const boost::json::value& root, std::string_view path) {
    const boost::json::value* at = &root;
    while (!path.empty()) {
      const std::size_t dot = path.find('.');
      const std::string key(path.substr(0, dot));
      path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
      if (const boost::json::object* object = at->if_object()) {
        at = object->if_contains(key);
      } else if (const boost::json::array* array = at->if_array()) {
        at = array->if_contains(std::stoul(key));
      } else {
        at = nullptr;
      }
      if (at == nullptr) return "";
    }
    return at->is_string() ? std::string(at->get_string()) : boost::json::serialize(*at);
  }
};

// The client's end of one request or watch in a test.
class TestExchange final : public net::HttpExchange {
 public:
  void Respond(net::HttpResponse response) override {
    answer.status = response.status;
    answer.content_type = std::move(response.content_type);
    answer.headers = std::move(response.headers);
    answer.body = std::move(response.body);
    boost::system::error_code error;
    answer.json = boost::json::parse(answer.body, error);
    if (error) answer.json = nullptr;
  }
  void StartStream(int status, std::string content_type) override {
    answer.status = status;
    answer.content_type = std::move(content_type);
  }
  void Write(std::string piece) override { text += piece; }
  void End() override { ended = true; }
  std::size_t Unsent() const override { return stalled ? text.size() : 0; }
  void OnSent(std::move_only_function<void()> callback) override { sent = std::move(callback); }
  void OnPeerGone(std::move_only_function<void()> callback) override { gone = std::move(callback); }

  // The client goes away.
  void Hang() {
    if (gone) std::exchange(gone, {})();
  }
  // The client, which had stopped reading, reads all that waits for it, and what that sets off.
  std::vector<std::string> ReadAll() {
    std::vector<std::string> frames;
    do {
      for (std::string& frame : Take()) frames.push_back(std::move(frame));
      if (auto callback = std::exchange(sent, nullptr)) callback();
    } while (!text.empty());
    return frames;
  }
  // "ADDED name" for each frame since the last call; the last one is kept in `last`.
  std::vector<std::string> Take() {
    std::vector<std::string> frames;
    std::size_t end;
    while ((end = text.find('\n')) != std::string::npos) {
      last = boost::json::parse(text.substr(0, end));
      text.erase(0, end + 1);
      std::string frame = Answer::TextAt(last, "type");
      const std::string name = Answer::TextAt(last, "object.metadata.name");
      if (!name.empty()) frame += " " + name;
      frames.push_back(std::move(frame));
    }
    return frames;
  }

  Answer answer;
  std::string text;
  bool ended = false;
  bool stalled = false;  // what is written stays unsent until it is taken
  boost::json::value last;
  std::move_only_function<void()> gone;
  std::move_only_function<void()> sent;
};

// A server on virtual time, spoken to without a network.
class TestServer {
 public:
  explicit TestServer(ServerOptions options = {}, WebhookCaller* webhooks = nullptr)
      : server_(std::make_unique<Server>(loop_, std::move(options), webhooks)) {}

  Answer Send(std::string method, std::string target, std::string body = "",
              std::string content_type = "", net::Headers headers = {}) {
    return Begin(std::move(method), std::move(target), std::move(body), std::move(content_type),
                 std::move(headers))
        ->answer;
  }
  Answer Get(std::string target, std::string accept = "") {
    net::Headers headers;
    if (!accept.empty()) headers.push_back({"Accept", std::move(accept)});
    return Send("GET", std::move(target), "", "", std::move(headers));
  }
  Answer Post(std::string target, std::string body) {
    return Send("POST", std::move(target), std::move(body));
  }
  Answer Put(std::string target, std::string body) {
    return Send("PUT", std::move(target), std::move(body));
  }
  // A merge patch.
  Answer Patch(std::string target, std::string body) {
    return Send("PATCH", std::move(target), std::move(body), "application/merge-patch+json");
  }
  Answer Delete(std::string target, std::string body = "") {
    return Send("DELETE", std::move(target), std::move(body));
  }
  std::shared_ptr<TestExchange> Watch(std::string target, std::string accept = "") {
    net::Headers headers;
    if (!accept.empty()) headers.push_back({"Accept", std::move(accept)});
    return Begin("GET", std::move(target), "", "", std::move(headers));
  }
  std::shared_ptr<TestExchange> Begin(std::string method, std::string target, std::string body = "",
                                      std::string content_type = "", net::Headers headers = {}) {
    auto exchange = std::make_shared<TestExchange>();
    if (!content_type.empty()) headers.push_back({"Content-Type", std::move(content_type)});
    server_->Handle({.method = std::move(method),
                     .target = std::move(target),
                     .headers = std::move(headers),
                     .body = std::move(body)},
                    exchange);
    loop_.RunUntilIdle();
    return exchange;
  }

  testutil::SimLoop& loop() { return loop_; }
  Server& server() { return *server_; }

 private:
  testutil::SimLoop loop_;
  std::unique_ptr<Server> server_;
};

}  // namespace basalt::apiserver
