// Tells the *_test.story files of this folder: what is sent to the webhook, and what it answers.
//
//   # A job goes to a queue that is open
//   queue shut {"status":{"state":"Closed"}}
//   create /jobs/validate
//   | {metadata: {name: train}, spec: {queue: shut, tasks: …}}
//   => refused 403: spec.queue: …
//   with /spec/queue="open"
//   => allowed
//
// "queue NAME OBJECT", "namespace NAME OBJECT", "group NAME OBJECT": what the webhook knows of the
// cluster, as JSON without its metadata's name. "create PATH", "update PATH": a review for that
// path with the object that stands below behind "| "; an update's old object is the same. "with
// POINTER=JSON …": the same once more with other values, "without POINTER …": with less. "delete
// PATH NAME". "=>": the answer: allowed, what is patched, what is refused, warnings.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>
#include <sstream>

#include "base/base64.h"
#include "kube/types/codec.h"
#include "testing/sim_loop.h"
#include "testing/stories/objects.h"
#include "testing/stories/story_files.h"
#include "webhook/fields.h"
#include "webhook/handler.h"
#include "webhook/kept_exchange_test_util.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

class AdmissionTeller {
 public:
  AdmissionTeller() { handler_.SetSynced(); }

  std::string Tell(std::string_view story) {
    std::istringstream lines{std::string(story)};
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("=>")) continue;
      if (line.starts_with("| ")) {
        below_ += line.substr(2) + "\n";
        out_ += line + "\n";
        continue;
      }
      Finish();
      out_ += line + "\n";
      if (!line.empty() && line[0] != '#') Do(testutil::Words(line));
    }
    Finish();
    return out_;
  }

 private:
  void Do(const std::vector<std::string>& words) {
    const std::string& what = words[0];
    if (what == "queue" || what == "namespace" || what == "group") {
      Know(what, words[1], words.size() > 2 ? words[2] : "{}");
    } else if (what == "create" || what == "update") {
      path_ = words[1];
      updates_ = what == "update";
      open_ = true;
    } else if (what == "delete") {
      Ask(words[1], {{"operation", "DELETE"}, {"name", words[2]}});
    } else if (what == "with" || what == "without") {
      json::value changed = base_;
      for (std::size_t i = 1; i < words.size(); ++i) Change(changed, words[i], what == "with");
      Send(changed);
    } else {
      ADD_FAILURE() << "a story of the webhook knows no " << what;
    }
  }

  void Finish() {
    if (!std::exchange(open_, false)) return;
    const std::vector<json::value> documents = testutil::Documents(std::exchange(below_, {}));
    ASSERT_EQ(documents.size(), 1u) << "one object stands below a review";
    base_ = documents.front();
    Send(base_);
  }

  static void Change(json::value& object, const std::string& word, bool put) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string pointer = word.substr(0, equals);
    if (put) {
      boost::system::error_code error;
      const std::string text = word.substr(std::min(equals + 1, word.size()));
      json::value value = json::parse(text, error);
      EXPECT_FALSE(error) << text << " is no JSON";
      EXPECT_TRUE(SetAtPointer(object, pointer, std::move(value))) << pointer;
      return;
    }
    const std::size_t slash = pointer.rfind('/');
    boost::system::error_code error;
    json::value* parent = object.find_pointer(pointer.substr(0, slash), error);
    ASSERT_TRUE(parent && parent->is_object()) << pointer;
    parent->get_object().erase(pointer.substr(slash + 1));
  }

  void Know(const std::string& what, const std::string& name, const std::string& text) {
    json::value object = json::parse(text);
    SetAtPointer(object, "/metadata/name", json::string(name));
    const std::string whole = json::serialize(object);
    if (what == "queue") {
      snapshot_.PutQueue(std::make_shared<kube::Queue>(kube::Decode<kube::Queue>(whole).value()));
    } else if (what == "namespace") {
      snapshot_.PutNamespace(kube::Decode<kube::Namespace>(whole).value());
    } else {
      snapshot_.PutGroup(kube::Decode<kube::PodGroup>(whole).value());
    }
  }

  void Send(const json::value& object) {
    json::object request{{"operation", updates_ ? "UPDATE" : "CREATE"}, {"object", object}};
    if (updates_) request["oldObject"] = base_;
    Ask(path_, std::move(request));
  }

  void Ask(const std::string& path, json::object request) {
    const Route* route = FindRoute(path);
    ASSERT_NE(route, nullptr) << path;
    request["uid"] = "u";
    request["namespace"] = "default";
    request["resource"] = json::object{{"group", route->resource.group},
                                       {"version", route->resource.version},
                                       {"resource", route->resource.plural}};
    const json::object review{{"apiVersion", "admission.k8s.io/v1"},
                              {"kind", "AdmissionReview"},
                              {"request", std::move(request)}};
    const auto exchange = std::make_shared<KeptExchange>();
    handler_.Handle({.method = "POST",
                     .target = path,
                     .headers = {{"Content-Type", "application/json"}},
                     .body = json::serialize(review)},
                    exchange);
    loop_.RunFor(1s);
    ASSERT_TRUE(exchange->answer);
    Say(*exchange->answer);
  }

  void Say(const net::HttpResponse& response) {
    if (response.status != 200) {
      out_ += fmt::format("=> {} {}\n", response.status, response.body);
      return;
    }
    const json::value answer = json::parse(response.body).at("response");
    const json::object& said = answer.get_object();
    if (said.at("allowed") != true) {
      const json::object& status = said.at("status").get_object();
      out_ += fmt::format("=> refused {}: {}\n", status.at("code").to_number<int>(),
                          std::string_view(status.at("message").get_string()));
    } else if (const json::value* patch = said.if_contains("patch")) {
      const json::value operations = json::parse(*Base64Decode(patch->get_string()));
      for (const json::value& one : operations.get_array()) {
        const json::object& operation = one.get_object();
        out_ +=
            fmt::format("=> {} {} {}\n", TextAt(operation, "op"), TextAt(operation, "path"),
                        operation.contains("value") ? json::serialize(operation.at("value")) : "");
      }
    } else {
      out_ += "=> allowed\n";
    }
    for (const json::value& warning : ListAt(said, "warnings")) {
      out_ += fmt::format("=> warns {}\n", std::string_view(warning.get_string()));
    }
  }

  testutil::SimLoop loop_;
  Snapshot snapshot_;
  metrics::Registry metrics_;
  Handler handler_{loop_, snapshot_, {}, &metrics_};
  std::string path_;
  bool updates_ = false;
  bool open_ = false;
  json::value base_;
  std::string below_;
  std::string out_;
};

std::string TellOfAdmission(std::string_view story) { return AdmissionTeller().Tell(story); }

[[maybe_unused]] const bool kAdmissionStories =
    testutil::RegisterStories(__FILE__, TellOfAdmission);

}  // namespace
}  // namespace basalt::webhook
