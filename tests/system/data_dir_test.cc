// deps: basalt_testing basalt_kube_client basalt_apiserver
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "apiserver/storage/data_folder.h"
#include "base/random.h"
#include "testing/builders.h"
#include "tests/system/child_process.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

using testing::HasSubstr;
using testutil::TextAt;

int FromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

class DataDirTest : public UpTest {
 protected:
  ChildProcess UpOnDisk(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--data-dir", data_});
    return Up(std::move(more));
  }
  std::string data_ = folder_ / "data";
};

TEST_F(DataDirTest, TheClusterIsThereAgainAndItsKubeconfigStaysGood) {
  const std::string file = WriteFile("web.yaml", R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: nginx}]}
)");
  const auto runs = [](const json::value& web) {
    const json::value* available = testutil::FindPath(web, "status.availableReplicas");
    return available != nullptr && *available == 2;
  };
  const std::string web = "/apis/apps/v1/namespaces/default/deployments/web";
  std::string ready;
  std::set<std::string> pods;
  const auto pod_uids = [&] {
    std::set<std::string> uids;
    const auto list = Send({.path = "/api/v1/namespaces/default/pods"});
    if (!list) return uids;
    for (const json::value& pod : list->at("items").as_array()) {
      uids.emplace(TextAt(pod, "metadata.uid"));
    }
    return uids;
  };
  {
    ChildProcess up = UpOnDisk({"--apply", file});
    const auto line = up.ReadLine();
    ASSERT_TRUE(line) << (up.Wait(1s), up.Errors());
    ready = *line;
    ASSERT_TRUE(Eventually(web, runs));
    ASSERT_TRUE(Send({.method = "DELETE", .path = "/api/v1/nodes/node-0003"}));
    pods = pod_uids();
    EXPECT_EQ(pods.size(), 2u);

    ChildProcess second = UpOnDisk();
    EXPECT_EQ(second.Wait(), 1);
    EXPECT_THAT(second.Errors(), HasSubstr("--data-dir: "));
    EXPECT_THAT(second.Errors(), HasSubstr("two must never share one"));
    up.Signal(SIGKILL);
    up.Wait();
  }
  for (const int end : {SIGTERM, SIGKILL}) {
    ChildProcess up = UpOnDisk();
    const auto line = up.ReadLine();
    ASSERT_TRUE(line) << (up.Wait(1s), up.Errors());
    EXPECT_EQ(*line, ready) << "the same address";
    EXPECT_TRUE(Eventually(web, runs));
    EXPECT_EQ(pod_uids(), pods) << "no pod was made anew";
    const auto nodes = Send({.path = "/api/v1/nodes"});
    ASSERT_TRUE(nodes);
    EXPECT_EQ(nodes->at("items").as_array().size(), 2u) << "the node that was deleted stays so";
    up.Signal(end);
    up.Wait();
  }
  // What comes later works as well: the roles found their feet.
  ChildProcess up = UpOnDisk();
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  ASSERT_TRUE(Send({.method = "PATCH",
                    .path = web,
                    .body = R"({"spec":{"replicas":3}})",
                    .content_type = "application/merge-patch+json"}));
  EXPECT_TRUE(Eventually(web, [](const json::value& now) {
    const json::value* available = testutil::FindPath(now, "status.availableReplicas");
    return available != nullptr && *available == 3;
  }));
}

// Clients that each write one object after the other, and remember what they were told.
class Writers {
 public:
  explicit Writers(std::uint64_t seed) : random_(seed) {}

  struct Known {
    // What was acknowledged: "" for "is not there", else its data; and its version.
    std::string data;
    std::uint64_t version = 0;
    // What was asked for and not answered; nothing: nothing is open.
    std::optional<std::string> open;
  };

  // Writes until the server goes away; calls `kill` so long after the first answer.
  void Run(const kube::ClusterConfig& config, Duration wait, std::function<void()> kill) {
    AsioLoop loop;
    auto api = kube::HttpApiClient::Create(loop, config);
    ASSERT_TRUE(api);
    loop_ = &loop;
    api_ = api->get();
    open_ = kWriters;
    started_ = [this, wait, kill = std::move(kill)] { loop_->Schedule(wait, kill); };
    loop.Post([this] {
      for (int i = 0; i < kWriters; ++i) Next(i);
    });
    loop.Run();
  }

  // Everything acknowledged must be there; what was open may have happened or not.
  void Check(const json::value& list) {
    std::map<std::string, std::pair<std::string, std::uint64_t>> found;
    for (const json::value& item : list.at("items").as_array()) {
      found[TextAt(item, "metadata.name")] = {
          TextAt(item, "data.x"), std::stoull(TextAt(item, "metadata.resourceVersion"))};
    }
    for (auto& [name, known] : known_) {
      const auto it = found.find(name);
      const std::string data = it == found.end() ? "" : it->second.first;
      const bool as_acknowledged = data == known.data;
      const bool as_asked = known.open && data == *known.open;
      EXPECT_TRUE(as_acknowledged || as_asked)
          << name << " is \"" << data << "\", was acknowledged as \"" << known.data << "\"";
      if (as_acknowledged && !as_asked && !data.empty()) {
        EXPECT_EQ(it->second.second, known.version) << name;
      }
      known = {.data = data, .version = data.empty() ? 0 : it->second.second, .open = {}};
      newest_ = std::max(newest_, known.version);
    }
    EXPECT_GE(std::stoull(TextAt(list, "metadata.resourceVersion")), newest_);
  }
  int acknowledged() const { return acknowledged_; }

 private:
  static constexpr int kWriters = 16;
  static constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";

  void Next(int writer) {
    const std::string name = "w" + std::to_string(writer) + "-" + std::to_string(random_.Below(5));
    Known& known = known_[name];
    const std::string data = "d" + std::to_string(++written_);
    kube::ApiRequest request{.path = std::string(kMaps) + "/" + name};
    if (known.data.empty()) {
      request.method = "POST";
      request.path = kMaps;
      request.body = json::serialize(json::object{{"metadata", json::object{{"name", name}}},
                                                  {"data", json::object{{"x", data}}}});
      known.open = data;
    } else if (random_.Below(4) == 0) {
      request.method = "DELETE";
      known.open = "";
    } else {
      request.method = "PATCH";
      request.content_type = "application/merge-patch+json";
      request.body = json::serialize(json::object{{"data", json::object{{"x", data}}}});
      known.open = data;
    }
    api_->Send(std::move(request), [this, writer, name](Result<kube::ApiResponse> result) {
      if (!result) {
        EXPECT_EQ(result.error().code, ErrorCode::kUnavailable) << result.error().message;
        if (--open_ == 0) loop_->Stop();
        return;
      }
      Known& now = known_[name];
      now.data = *now.open;
      now.open.reset();
      if (!now.data.empty()) {
        now.version = std::stoull(TextAt(json::parse(result->body), "metadata.resourceVersion"));
        newest_ = std::max(newest_, now.version);
      }
      ++acknowledged_;
      if (started_) std::exchange(started_, nullptr)();
      Next(writer);
    });
  }

  Random random_;
  AsioLoop* loop_ = nullptr;
  kube::ApiClient* api_ = nullptr;
  std::function<void()> started_;
  int open_ = 0;
  int written_ = 0;
  int acknowledged_ = 0;
  std::uint64_t newest_ = 0;
  std::map<std::string, Known> known_;
};

// BASALT_KILLS=200 is what a release is held to.
TEST_F(DataDirTest, WhatWasAcknowledgedOutlivesEveryKill) {
  const int kills = FromEnvironment("BASALT_KILLS", 4);
  constexpr std::uint64_t kSeed = 1;
  Random random(kSeed);
  Writers writers(kSeed);
  for (int i = 0; i <= kills; ++i) {
    ChildProcess up = UpOnDisk({"--only", "api", "--nodes", "0", "--log-level", "error"});
    ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
    const auto list = Send({.path = "/api/v1/namespaces/default/configmaps"});
    ASSERT_TRUE(list) << list.error().message;
    writers.Check(*list);
    if (HasFailure() || i == kills) break;
    const auto config = kube::LoadKubeconfig({kubeconfig_});
    ASSERT_TRUE(config);
    writers.Run(*config, std::chrono::microseconds(random.Below(150'000)),
                [&up] { up.Signal(SIGKILL); });
    up.Wait();
  }
  RecordProperty("acknowledged", writers.acknowledged());
  std::printf("%d kills, %d writes acknowledged\n", kills, writers.acknowledged());
  EXPECT_GT(writers.acknowledged(), kills);
}

// BASALT_DATA_OBJECTS=100000 is what a release is held to.
TEST_F(DataDirTest, StartsQuicklyWithManyObjects) {
  const int count = FromEnvironment("BASALT_DATA_OBJECTS", 10'000);
  {
    auto folder = apiserver::DataFolder::Open(data_);
    ASSERT_TRUE(folder) << folder.error().message;
    std::vector<apiserver::DataFolder::Change> changes;
    for (int i = 1; i <= count; ++i) {
      auto object = std::make_shared<apiserver::StoredObject>();
      object->key = "default/pod-" + std::to_string(i);
      object->version = static_cast<std::uint64_t>(i);
      // As large as a small pod that ran.
      object->text = json::serialize(json::object{
          {"metadata",
           json::object{{"name", object->key.substr(8)},
                        {"namespace", "default"},
                        {"uid", "uid-" + std::to_string(i)},
                        {"resourceVersion", std::to_string(i)},
                        {"labels", json::object{{"app", "many"}}},
                        {"annotations", json::object{{"note", std::string(800, 'n')}}}}},
          {"spec",
           json::object{{"schedulerName", "another"},
                        {"containers",
                         json::array{json::object{{"name", "c"}, {"image", "registry/image:1"}}}}}},
          {"status", json::object{{"phase", "Pending"}}}});
      std::string key = object->key;
      changes.push_back({.resource = "/pods", .key = std::move(key), .object = std::move(object)});
    }
    ASSERT_TRUE((*folder)->Commit(changes, static_cast<std::uint64_t>(count)));
  }
  const auto begin = std::chrono::steady_clock::now();
  ChildProcess up = UpOnDisk({"--nodes", "0"});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const std::chrono::duration<double> computed = up.CpuTime();
  std::printf("%d objects: ready after %.2f s, of which it computed %.2f s\n", count, took.count(),
              computed.count());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // By the clock where the machine is its own, and else by what it had of the processors.
  EXPECT_LT(std::min(took, computed).count(), 5.0);
#endif
  const auto pod = Send({.path = "/api/v1/namespaces/default/pods/pod-" + std::to_string(count)});
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(TextAt(*pod, "metadata.resourceVersion"), std::to_string(count));
}

}  // namespace
}  // namespace basalt::systemtest
