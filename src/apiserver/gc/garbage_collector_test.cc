#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

// A ConfigMap that `owner` (the answer to its creation) owns.
std::string Owned(const std::string& name, const std::vector<Answer>& owners,
                  const std::string& more = "") {
  std::string references;
  for (const Answer& owner : owners) {
    if (!references.empty()) references += ",";
    references += R"({"apiVersion":"v1","kind":"ConfigMap","name":")" + owner.At("metadata.name") +
                  R"(","uid":")" + owner.At("metadata.uid") + R"("})";
  }
  if (!more.empty()) references.insert(references.size() - 1, "," + more);
  return R"({"metadata":{"name":")" + name + R"(","ownerReferences":[)" + references + "]}}";
}

Answer Make(TestServer& server, const std::string& name) {
  return server.Post(kMaps, R"({"metadata":{"name":")" + name + R"("}})");
}

TEST(GarbageCollectorTest, DependentsGoWithTheirOwnerAndTheirsWithThem) {
  TestServer server;
  const Answer owner = Make(server, "owner");
  const Answer child = server.Post(kMaps, Owned("child", {owner}));
  ASSERT_EQ(child.status, 201) << child.body;
  server.Post(kMaps, Owned("grandchild", {child}));
  server.Delete(kMaps + "/owner");
  EXPECT_EQ(server.Get(kMaps + "/child").status, 404);
  EXPECT_EQ(server.Get(kMaps + "/grandchild").status, 404);
}

TEST(GarbageCollectorTest, AnotherOwnerKeepsADependent) {
  TestServer server;
  const Answer one = Make(server, "one");
  const Answer two = Make(server, "two");
  server.Post(kMaps, Owned("child", {one, two}));
  server.Delete(kMaps + "/one");
  const Answer child = server.Get(kMaps + "/child");
  EXPECT_EQ(child.status, 200);
  EXPECT_EQ(child.At("metadata.ownerReferences.0.name"), "two");
  EXPECT_EQ(child.At("metadata.ownerReferences.1"), "");
  server.Delete(kMaps + "/two");
  EXPECT_EQ(server.Get(kMaps + "/child").status, 404);
}

TEST(GarbageCollectorTest, ADependentOfNobodyGoesAtOnce) {
  TestServer server;
  server.Post(kMaps,
              R"({"metadata":{"name":"child","ownerReferences":[{"apiVersion":"v1","kind":)"
              R"("ConfigMap","name":"never","uid":"11111111-1111-1111-1111-111111111111"}]}})");
  EXPECT_EQ(server.Get(kMaps + "/child").status, 404);
}

TEST(GarbageCollectorTest, AnOwnerOfAnUnknownKindIsNotPresumedGone) {
  TestServer server;
  server.Post(kMaps,
              R"({"metadata":{"name":"child","ownerReferences":[{"apiVersion":"x.example/v1",)"
              R"("kind":"X","name":"x","uid":"11111111-1111-1111-1111-111111111111"}]}})");
  EXPECT_EQ(server.Get(kMaps + "/child").status, 200);
}

TEST(GarbageCollectorTest, OrphansStay) {
  TestServer server;
  const Answer owner = Make(server, "owner");
  server.Post(kMaps, Owned("child", {owner}));
  server.Delete(kMaps + "/owner?propagationPolicy=Orphan");
  EXPECT_EQ(server.Get(kMaps + "/owner").status, 404);
  const Answer child = server.Get(kMaps + "/child");
  EXPECT_EQ(child.status, 200);
  EXPECT_EQ(child.At("metadata.ownerReferences"), "");
}

TEST(GarbageCollectorTest, AJobThatIsDeletedWithoutAWordLeavesItsDependents) {
  const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";
  for (const auto& [how, expected] :
       {std::pair("", 200), std::pair("?propagationPolicy=Background", 404)}) {
    TestServer server;
    const Answer job = server.Post(
        jobs, R"({"metadata":{"name":"sum"},"spec":{"template":{"spec":{"restartPolicy":"Never",)"
              R"("containers":[{"name":"c","image":"i"}]}}}})");
    ASSERT_EQ(job.status, 201) << job.body;
    server.Post(kMaps, R"({"metadata":{"name":"child","ownerReferences":[{"apiVersion":"batch/v1",)"
                       R"("kind":"Job","name":"sum","uid":")" +
                           job.At("metadata.uid") + R"("}]}})");
    server.Delete(jobs + "/sum" + how);
    EXPECT_EQ(server.Get(jobs + "/sum").status, 404);
    EXPECT_EQ(server.Get(kMaps + "/child").status, expected) << how;
  }
}

TEST(GarbageCollectorTest, InTheForegroundTheOwnerGoesLast) {
  TestServer server;
  const Answer owner = Make(server, "owner");
  server.Post(kMaps, Owned("child", {owner}, R"("blockOwnerDeletion":true)"));
  server.Patch(kMaps + "/child", R"({"metadata":{"finalizers":["x.example/y"]}})");
  server.Delete(kMaps + "/owner?propagationPolicy=Foreground");
  EXPECT_EQ(server.Get(kMaps + "/owner").At("metadata.finalizers.0"), "foregroundDeletion");
  EXPECT_NE(server.Get(kMaps + "/child").At("metadata.deletionTimestamp"), "");
  server.Patch(kMaps + "/child", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(server.Get(kMaps + "/child").status, 404);
  EXPECT_EQ(server.Get(kMaps + "/owner").status, 404);
}

TEST(GarbageCollectorTest, ANamespaceTakesItsContentsAlongAndTakesNothingNew) {
  TestServer server;
  server.Post("/api/v1/namespaces", R"({"metadata":{"name":"t"}})");
  const std::string maps = "/api/v1/namespaces/t/configmaps";
  server.Post(maps, R"({"metadata":{"name":"a"}})");
  server.Post(maps, R"({"metadata":{"name":"b","finalizers":["x.example/y"]}})");
  const Answer going = server.Delete("/api/v1/namespaces/t");
  EXPECT_EQ(going.At("status.phase"), "Terminating");
  EXPECT_EQ(server.Get(maps + "/a").status, 404);
  EXPECT_EQ(server.Get("/api/v1/namespaces/t").status, 200);
  const Answer refused = server.Post(maps, R"({"metadata":{"name":"c"}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.At("details.causes.0.reason"), "NamespaceTerminating");
  server.Patch(maps + "/b", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(server.Get("/api/v1/namespaces/t").status, 404);
}

TEST(GarbageCollectorTest, ABoundPodWaitsForItsGracePeriod) {
  TestServer server;
  const std::string pods = "/api/v1/namespaces/default/pods";
  const std::string spec = R"("spec":{"containers":[{"name":"c","image":"i"}])";
  ASSERT_EQ(
      server.Post(pods, R"({"metadata":{"name":"bound"},)" + spec + R"(,"nodeName":"n"}})").status,
      201);
  ASSERT_EQ(server.Post(pods, R"({"metadata":{"name":"waiting"},)" + spec + "}}").status, 201);
  EXPECT_EQ(server.Delete(pods + "/waiting").At("kind"), "Pod");
  EXPECT_EQ(server.Get(pods + "/waiting").status, 404);
  const Answer marked = server.Delete(pods + "/bound");
  EXPECT_EQ(marked.At("metadata.deletionTimestamp"), "2026-01-01T00:00:30Z");
  EXPECT_EQ(marked.At("metadata.deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(marked.At("metadata.generation"), "2");
  EXPECT_EQ(server.Delete(pods + "/bound?gracePeriodSeconds=5").At("metadata.deletionTimestamp"),
            "2026-01-01T00:00:05Z");
  EXPECT_EQ(server.Delete(pods + "/bound?gracePeriodSeconds=10").At("metadata.deletionTimestamp"),
            "2026-01-01T00:00:05Z");
  EXPECT_EQ(server.Delete(pods + "/bound?gracePeriodSeconds=0").status, 200);
  EXPECT_EQ(server.Get(pods + "/bound").status, 404);
}

}  // namespace
}  // namespace basalt::apiserver
