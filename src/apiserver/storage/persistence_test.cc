#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "apiserver/server.h"
#include "apiserver/server_test_util.h"
#include "apiserver/storage/store.h"

namespace basalt::apiserver {
namespace {

using testing::HasSubstr;

// Keeps in memory, and says that it is safe when the test says so.
class ManualPersistence final : public Persistence {
 public:
  void Keep(const StoreEvent& event) override {
    kept.version = event.version;
    const auto name =
        event.collection->group + "/" + event.collection->plural + "/" + event.object->key;
    if (event.type == StoreEvent::Type::kDeleted) {
      objects.erase(name);
    } else {
      objects[name] = {.group = event.collection->group,
                       .plural = event.collection->plural,
                       .key = event.object->key,
                       .version = event.version,
                       .text = event.object->text};
    }
    safe = false;
  }
  void AfterSafe(Callback callback) override {
    if (safe) return callback();
    held.push_back(std::move(callback));
  }
  void BecomeSafe() {
    safe = true;
    while (!held.empty()) {
      Callback callback = std::move(held.front());
      held.pop_front();
      callback();
    }
  }
  KeptState State() const {
    KeptState state{.version = kept.version};
    for (const auto& [name, object] : objects) state.objects.push_back(object);
    return state;
  }

  KeptState kept;
  std::map<std::string, KeptObject> objects;
  std::deque<Callback> held;
  bool safe = true;
};

class PersistenceTest : public testing::Test {
 protected:
  // Ends the server as a crash would, and goes on from what was kept.
  void Restart() {
    server_.reset();
    persistence_.held.clear();
    server_ = std::make_unique<Server>(loop_, ServerOptions(), nullptr, persistence_.State(),
                                       persistence_);
    persistence_.BecomeSafe();
    loop_.RunFor(1s);
    persistence_.BecomeSafe();
  }
  std::shared_ptr<TestExchange> Send(std::string method, std::string target,
                                     std::string body = "") {
    auto exchange = std::make_shared<TestExchange>();
    net::Headers headers;
    if (!body.empty()) headers.push_back({"Content-Type", "application/json"});
    server_->Handle({.method = std::move(method),
                     .target = std::move(target),
                     .headers = std::move(headers),
                     .body = std::move(body)},
                    exchange);
    loop_.RunFor(1ms);
    return exchange;
  }
  Answer Ask(std::string method, std::string target, std::string body = "") {
    const auto exchange = Send(std::move(method), std::move(target), std::move(body));
    persistence_.BecomeSafe();
    return exchange->answer;
  }

  testutil::SimLoop loop_;
  ManualPersistence persistence_;
  std::unique_ptr<Server> server_;
};

TEST_F(PersistenceTest, NobodyHearsOfAWriteBeforeItIsSafe) {
  Restart();
  const auto watch = Send("GET", kMaps + "?watch=true");
  EXPECT_EQ(watch->answer.status, 200);
  const auto made = Send("POST", kMaps, R"({"metadata":{"name":"a"}})");
  const auto read = Send("GET", kMaps + "/a");
  EXPECT_EQ(made->answer.status, 0) << "who asked for it";
  EXPECT_EQ(read->answer.status, 0) << "who reads";
  EXPECT_EQ(watch->text, "") << "who watches";
  persistence_.BecomeSafe();
  EXPECT_EQ(made->answer.status, 201);
  EXPECT_EQ(read->answer.status, 200);
  EXPECT_THAT(watch->text, HasSubstr(R"("type":"ADDED")"));
}

TEST_F(PersistenceTest, ARestartGoesOnWhereItWas) {
  Restart();
  const std::string first = Ask("POST", kMaps, R"({"metadata":{"name":"a","labels":{"x":"y"}}})")
                                .At("metadata.resourceVersion");
  Ask("POST", kMaps, R"({"metadata":{"name":"b"}})");
  const std::string last = Ask("DELETE", kMaps + "/b").At("kind");
  const std::uint64_t version = persistence_.kept.version;
  Restart();
  EXPECT_EQ(Ask("GET", kMaps + "/a").At("metadata.resourceVersion"), first);
  EXPECT_EQ(Ask("GET", kMaps + "/b").status, 404);
  EXPECT_EQ(Ask("GET", kMaps + "?labelSelector=x%3Dy").At("items.0.metadata.name"), "a");
  const std::string next =
      Ask("POST", kMaps, R"({"metadata":{"name":"c"}})").At("metadata.resourceVersion");
  EXPECT_EQ(next, std::to_string(version + 1))
      << "versions go on; nothing was written by the start";
  // A watch from before the restart may have missed something: it has to list again.
  const auto watch = Send("GET", kMaps + "?watch=true&resourceVersion=" + first);
  EXPECT_THAT(watch->text, HasSubstr("too old resource version"));
}

TEST_F(PersistenceTest, CustomKindsOwnersAndDeletionsUnderWayAreTakenUpAgain) {
  Restart();
  Ask("POST", kDefinitions, R"({"metadata":{"name":"things.example.com"},"spec":{
      "group":"example.com","scope":"Namespaced","names":{"plural":"things","singular":"thing",
      "kind":"Thing","listKind":"ThingList"},"versions":[{"name":"v1","served":true,"storage":true,
      "schema":{"openAPIV3Schema":{"type":"object",
      "x-kubernetes-preserve-unknown-fields":true}}}]}})");
  loop_.RunFor(1s);
  persistence_.BecomeSafe();
  const std::string things = "/apis/example.com/v1/namespaces/default/things";
  const std::string uid = Ask("POST", things, R"({"apiVersion":"example.com/v1","kind":"Thing",
      "metadata":{"name":"owner"}})")
                              .At("metadata.uid");
  Ask("POST", kMaps,
      R"({"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"example.com/v1",
      "kind":"Thing","name":"owner","uid":")" +
          uid + R"("}]}})");
  Restart();
  EXPECT_EQ(Ask("GET", things + "/owner").status, 200);
  EXPECT_EQ(Ask("GET", kMaps + "/owned").status, 200) << "its owner is there";
  Ask("DELETE", things + "/owner");
  Restart();  // before the collector has had its turn
  loop_.RunFor(5s);
  persistence_.BecomeSafe();
  EXPECT_EQ(Ask("GET", kMaps + "/owned").status, 404);
}

}  // namespace
}  // namespace basalt::apiserver
