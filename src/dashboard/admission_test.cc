#include "dashboard/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <optional>
#include <set>

#include "kube/types/json_fields.h"
#include "testing/sim_loop.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

// An API server that knows tokens, and what their people may do: "list pods a".
class ReviewingServer final : public kube::ApiClient {
 public:
  explicit ReviewingServer(Loop& loop) : loop_(loop) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    ++reviews;
    const json::object body = json::parse(request.body).as_object();
    loop_.Post([this, body, handler = std::move(handler)]() mutable {
      if (away) {
        return handler(Fail(ErrorCode::kForbidden, "no"));
      }
      handler(kube::ApiResponse{.status = 201, .body = json::serialize(Review(body))});
    });
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest, kube::WatchObserver&) override {
    return nullptr;
  }
  Loop& loop() override { return loop_; }

  std::map<std::string, std::string> people;  // by token
  std::set<std::string> allowed;              // "person verb resource/sub namespace"
  bool away = false;
  int reviews = 0;

 private:
  json::object Review(const json::object& body) const {
    const json::object* spec = kube::ObjectAt(body, {"spec"});
    if (kube::TextAt(&body, "kind") == "TokenReview") {
      const auto person = people.find(kube::TextAt(spec, "token"));
      if (person == people.end()) return {{"status", json::object{{"authenticated", false}}}};
      return {{"status", {{"authenticated", true}, {"user", {{"username", person->second}}}}}};
    }
    const json::object* what = kube::ObjectAt(*spec, {"resourceAttributes"});
    const std::string sub = kube::TextAt(what, "subresource");
    const std::string key = kube::TextAt(spec, "user") + " " + kube::TextAt(what, "verb") + " " +
                            kube::TextAt(what, "resource") + (sub.empty() ? "" : "/" + sub) + " " +
                            kube::TextAt(what, "namespace");
    return {{"status", json::object{{"allowed", allowed.contains(key)}}}};
  }

  Loop& loop_;
};

class AdmissionTest : public testing::Test {
 protected:
  AdmissionTest()
      : server_(loop_), client_(server_), admission_(AdmitByReview(client_, [] {
          return std::vector<std::string>{"a", "b", "c"};
        })) {
    server_.people = {{"t-ann", "ann"}, {"t-root", "root"}};
    server_.allowed = {"ann list pods a", "ann list pods c", "root list pods ",
                       "root create reservations ", "root create pods/eviction "};
  }
  Result<Sight> Admit(const std::string& token) {
    std::optional<Result<Sight>> got;
    admission_->Admit(token, [&](Result<Sight> sight) { got.emplace(std::move(sight)); });
    loop_.RunUntil([&] { return got.has_value(); }, 120s);
    return got ? *got : Result<Sight>(Fail(ErrorCode::kTimeout, "never"));
  }

  testutil::SimLoop loop_;
  ReviewingServer server_;
  kube::Client client_;
  std::unique_ptr<Admission> admission_;
};

TEST_F(AdmissionTest, APersonSeesTheNamespacesWhosePodsTheyMayList) {
  const Result<Sight> ann = Admit("t-ann");
  ASSERT_TRUE(ann.has_value()) << ann.error().message;
  EXPECT_EQ(ann->person, "ann");
  EXPECT_FALSE(ann->everything);
  EXPECT_THAT(ann->namespaces, ElementsAre("a", "c"));
  EXPECT_FALSE(ann->may_defragment);
  const Result<Sight> root = Admit("t-root");
  EXPECT_TRUE(root->everything);
  EXPECT_TRUE(root->may_defragment);
}

TEST_F(AdmissionTest, NoTokenAWrongOneAndOneThatHasEndedAreRefused) {
  EXPECT_EQ(Admit("").error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(Admit("wrong").error().code, ErrorCode::kUnauthorized);
  EXPECT_TRUE(Admit("t-ann").has_value());
  server_.people.clear();
  EXPECT_TRUE(Admit("t-ann").has_value()) << "what was found out holds for half a minute";
  loop_.RunFor(31s);
  EXPECT_EQ(Admit("t-ann").error().code, ErrorCode::kUnauthorized);
}

TEST_F(AdmissionTest, TheApiServerIsAskedOnceForManyRequests) {
  for (int i = 0; i < 100; ++i) Admit("t-ann");
  EXPECT_EQ(server_.reviews, 1 + 3 + 3);
}

TEST_F(AdmissionTest, WhereTheApiServerDoesNotSayNobodySeesAnything) {
  server_.away = true;
  EXPECT_FALSE(Admit("t-ann").has_value());
}

TEST_F(AdmissionTest, BeforeTheNamespacesAreKnownNobodyIsToldThatTheySeeNothing) {
  auto early = AdmitByReview(client_, [] { return std::vector<std::string>(); });
  std::swap(early, admission_);
  EXPECT_EQ(Admit("t-ann").error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(Admit("t-root")->everything);
}

}  // namespace
}  // namespace basalt::dashboard
