// deps: basalt_kube_informer basalt_testing
#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <vector>

#include "kube/informer/informer.h"
#include "kube/types/pod.h"
#include "testing/builders.h"
#include "tests/cluster/real_cluster.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ClientOnRealClusterTest : public RealClusterTest {
 protected:
  std::string ConfigMap(std::string_view name, std::string_view value) {
    return MakeObject(resources::kConfigMaps, name).Ns(ns_).Set("data.key", value).Text();
  }
  std::string Value(std::string_view name) {
    const Answer got = Get({resources::kConfigMaps, ns_, name});
    return got ? TextAt(*got, "data.key") : got.error().message;
  }
};

// Type and name of each frame.
class FrameCollector final : public kube::WatchObserver {
 public:
  void OnFrame(std::string_view frame) override {
    const json::value parsed = json::parse(frame);
    if (TextAt(parsed, "type") == "BOOKMARK") return;
    frames.push_back(TextAt(parsed, "type") + " " + TextAt(parsed, "object.metadata.name"));
  }
  void OnEnd(const Error& error) override { end = error; }

  std::vector<std::string> frames;
  std::optional<Error> end;
};

TEST_F(ClientOnRealClusterTest, ListsInPages) {
  for (int n = 0; n < 25; ++n) {
    ASSERT_TRUE(
        Create({resources::kConfigMaps, ns_}, ConfigMap("page-" + std::to_string(n + 10), "x")));
  }
  std::vector<std::size_t> sizes;
  std::vector<std::string> names;
  std::optional<Result<std::string>> version;
  client_->List(
      resources::kConfigMaps, ns_,
      {.field_selector = "metadata.name!=kube-root-ca.crt", .limit = 10},
      [&](std::string body) {
        const json::value page = json::parse(body);
        const json::array& items = page.at("items").as_array();
        sizes.push_back(items.size());
        for (const json::value& item : items) names.push_back(TextAt(item, "metadata.name"));
      },
      [&](Result<std::string> done) { version = std::move(done); });
  RunUntil("the list", [&] { return version.has_value(); });
  ASSERT_TRUE(*version) << version->error().message;
  EXPECT_FALSE((*version)->empty());
  EXPECT_THAT(sizes, ElementsAre(10, 10, 5));
  ASSERT_EQ(names.size(), 25u);
  EXPECT_EQ(names.front(), "page-10");
  EXPECT_EQ(names.back(), "page-34");
}

TEST_F(ClientOnRealClusterTest, WatchSeesEveryChangeSinceTheList) {
  std::optional<Result<std::string>> version;
  client_->List(
      resources::kConfigMaps, ns_, {}, [](std::string) {},
      [&](Result<std::string> done) { version = std::move(done); });
  RunUntil("the list", [&] { return version.has_value(); });
  ASSERT_TRUE(*version) << version->error().message;

  ASSERT_TRUE(Create({resources::kConfigMaps, ns_}, ConfigMap("early", "1")));
  FrameCollector seen;
  const auto watch = client_->Watch(
      resources::kConfigMaps, ns_,
      {.field_selector = "metadata.name!=kube-root-ca.crt", .resource_version = **version}, seen);
  ASSERT_TRUE(Create({resources::kConfigMaps, ns_}, ConfigMap("late", "1")));
  ASSERT_TRUE(Update({resources::kConfigMaps, ns_, "late"}, ConfigMap("late", "2")));
  ASSERT_TRUE(Delete({resources::kConfigMaps, ns_, "early"}));
  RunUntil("four frames", [&] { return seen.frames.size() >= 4 || seen.end; });
  EXPECT_THAT(seen.frames,
              ElementsAre("ADDED early", "ADDED late", "MODIFIED late", "DELETED early"));
  EXPECT_FALSE(seen.end) << seen.end->message;
}

TEST_F(ClientOnRealClusterTest, AWatchThatTheServerEndsIsCancelled) {
  FrameCollector seen;
  const auto watch =
      client_->Watch(resources::kConfigMaps, ns_, {.timeout = std::chrono::seconds(1)}, seen);
  RunUntil("the end", [&] { return seen.end.has_value(); });
  EXPECT_EQ(seen.end->code, ErrorCode::kCancelled);
  EXPECT_EQ(seen.end->message, "");
}

TEST_F(ClientOnRealClusterTest, EveryKindOfPatchApplies) {
  ASSERT_TRUE(Create({resources::kConfigMaps, ns_}, ConfigMap("patched", "0")));
  const kube::Target target{resources::kConfigMaps, ns_, "patched"};
  ASSERT_TRUE(Patch(target, kube::PatchKind::kMerge, R"({"data":{"key":"1"}})"));
  EXPECT_EQ(Value("patched"), "1");
  ASSERT_TRUE(Patch(target, kube::PatchKind::kJson,
                    R"([{"op":"test","path":"/data/key","value":"1"},
                        {"op":"replace","path":"/data/key","value":"2"}])"));
  EXPECT_EQ(Value("patched"), "2");
  ASSERT_TRUE(Patch(target, kube::PatchKind::kStrategic, R"({"data":{"key":"3"}})"));
  EXPECT_EQ(Value("patched"), "3");
}

TEST_F(ClientOnRealClusterTest, AStaleUpdateConflicts) {
  const Answer made = Create({resources::kConfigMaps, ns_}, ConfigMap("shared", "1"));
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(Update({resources::kConfigMaps, ns_, "shared"}, ConfigMap("shared", "2")));
  const Answer stale = Update({resources::kConfigMaps, ns_, "shared"}, json::serialize(*made));
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code, ErrorCode::kConflict);
  EXPECT_EQ(stale.error().http_status, 409);
  EXPECT_THAT(stale.error().message, HasSubstr("the object has been modified"));
}

TEST_F(ClientOnRealClusterTest, ErrorsAreTypedAndCarryTheServersMessage) {
  const kube::Target all{resources::kConfigMaps, ns_};
  const Answer missing = Get({resources::kConfigMaps, ns_, "nope"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message, "configmaps \"nope\" not found");
  ASSERT_TRUE(Create(all, ConfigMap("once", "1")));
  const Answer twice = Create(all, ConfigMap("once", "1"));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::kAlreadyExists);
  const Answer invalid = Create(all, ConfigMap("Not_Valid", "1"));
  ASSERT_FALSE(invalid);
  EXPECT_EQ(invalid.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(invalid.error().message, HasSubstr("metadata.name"));
  const Answer garbage = Create(all, "{not json");
  ASSERT_FALSE(garbage);
  EXPECT_EQ(garbage.error().code, ErrorCode::kInvalidArgument);
  const kube::DeleteOptions other_uid{.uid = "00000000-0000-0000-0000-000000000000"};
  const Answer guarded = Delete({resources::kConfigMaps, ns_, "once"}, other_uid);
  ASSERT_FALSE(guarded);
  EXPECT_EQ(guarded.error().code, ErrorCode::kConflict);
}

TEST_F(ClientOnRealClusterTest, BindsAPodOnceAndNeverAGatedOne) {
  const auto bind = [&](std::string_view pod, std::string_view node) {
    const json::object body{
        {"apiVersion", "v1"},
        {"kind", "Binding"},
        {"metadata", json::object{{"name", pod}}},
        {"target", json::object{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}};
    return Create({resources::kPods, ns_, pod, "binding"}, json::serialize(body));
  };
  CreatePod(MakePod("free").Ns(ns_).Text());
  CreatePod(MakePod("gated").Ns(ns_).Gate("example.com/wait").Text());

  const Answer first = bind("free", "node-a");
  ASSERT_TRUE(first) << first.error().message;
  const Answer pod = Get({resources::kPods, ns_, "free"});
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(TextAt(*pod, "spec.nodeName"), "node-a");

  const Answer second = bind("free", "node-b");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_THAT(second.error().message, HasSubstr("already assigned to node"));
  const Answer gated = bind("gated", "node-a");
  ASSERT_FALSE(gated);
  EXPECT_THAT(gated.error().message, HasSubstr("non-empty .spec.schedulingGates"));
}

TEST_F(ClientOnRealClusterTest, AnInformerEqualsTheServer) {
  CreatePod(MakePod("early").Ns(ns_).Text());
  std::vector<std::string> events;
  kube::Informer<kube::Pod> pods(*client_, [&](const kube::InformerEvent<kube::Pod>& event) {
    if (event.object && event.object->meta.ns != ns_) return;
    if (event.old_object && event.old_object->meta.ns != ns_) return;
    switch (event.kind) {
      case kube::InformerEventKind::kAdded:
        events.push_back("added " + event.object->meta.name);
        break;
      case kube::InformerEventKind::kDeleted:
        events.push_back("deleted " + event.old_object->meta.name);
        break;
      default: break;
    }
  });
  pods.Start();
  RunUntil("the first list", [&] { return pods.HasSynced(); });
  CreatePod(MakePod("late").Ns(ns_).Text());
  ASSERT_TRUE(Patch({resources::kPods, ns_, "late"}, kube::PatchKind::kMerge,
                    R"({"metadata":{"labels":{"a":"b"}}})"));
  ASSERT_TRUE(Delete({resources::kPods, ns_, "early"}, {.grace_period_seconds = 0}));
  RunUntil("the deletion", [&] { return pods.store().Find(ns_, "early") == nullptr; });
  const auto late = pods.store().Find(ns_, "late");
  ASSERT_NE(late, nullptr);
  const Answer fresh = Get({resources::kPods, ns_, "late"});
  ASSERT_TRUE(fresh) << fresh.error().message;
  EXPECT_EQ(late->meta.resource_version, TextAt(*fresh, "metadata.resourceVersion"));
  EXPECT_THAT(events, ElementsAre("added early", "added late", "deleted early"));
  EXPECT_EQ(pods.bad_items(), 0u);
}

}  // namespace
}  // namespace basalt::testutil
