#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string MapText(const std::string& name, const std::string& more = "") {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + R"("})" + more +
         "}";
}

TEST(CrudTest, CreateFillsInWhatTheServerOwns) {
  TestServer server;
  const Answer made = server.Post(kMaps, R"({"metadata":{"name":"a"},"data":{"x":"1"}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("kind"), "ConfigMap");
  EXPECT_EQ(made.At("apiVersion"), "v1");
  EXPECT_EQ(made.At("metadata.namespace"), "default");
  EXPECT_EQ(made.At("metadata.creationTimestamp"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(made.At("metadata.uid").size(), 36u);
  EXPECT_FALSE(made.At("metadata.resourceVersion").empty());
  EXPECT_EQ(server.Get(kMaps + "/a").json, made.json);
}

TEST(CrudTest, TheSameSeedGivesTheSameUidsAndNames) {
  const auto run = [](std::uint64_t seed) {
    TestServer server({.seed = seed});
    const Answer made = server.Post(kMaps, R"({"metadata":{"generateName":"a-"}})");
    return made.At("metadata.uid") + made.At("metadata.name");
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

struct RefusedRequest {
  std::string name;
  std::string method;
  std::string target;
  std::string body;
  std::string content_type;
  int status;
  std::string reason;
  std::string message;
};

class RefusalTest : public testing::TestWithParam<RefusedRequest> {};

TEST_P(RefusalTest, SaysWhatIsWrong) {
  TestServer server;
  ASSERT_EQ(server.Post(kMaps, R"({"metadata":{"name":"a"},"data":{"x":"1"}})").status, 201);
  const RefusedRequest& want = GetParam();
  const Answer got = server.Send(want.method, want.target, want.body, want.content_type);
  EXPECT_EQ(got.status, want.status) << got.body;
  EXPECT_EQ(got.At("kind"), "Status");
  EXPECT_EQ(got.At("reason"), want.reason);
  if (want.message.ends_with("at byte ")) {
    EXPECT_THAT(got.At("message"), StartsWith(want.message));
  } else {
    EXPECT_EQ(got.At("message"), want.message);
  }
}

const std::string kMerge = "application/merge-patch+json";
const std::string kStrategic = "application/strategic-merge-patch+json";

INSTANTIATE_TEST_SUITE_P(
    All, RefusalTest,
    testing::ValuesIn<RefusedRequest>({
        {"BadJson", "POST", kMaps, "{bad", "", 400, "BadRequest",
         "the body cannot be read as a ConfigMap: no JSON: syntax error at byte "},
        {"NoBody", "POST", kMaps, "", "", 400, "BadRequest",
         "the body cannot be read as a ConfigMap: no JSON: incomplete JSON at byte "},
        {"OtherKind", "POST", kMaps, R"({"kind":"Pod","apiVersion":"v1"})", "", 400, "BadRequest",
         "the body cannot be read as a ConfigMap: it is a Pod"},
        {"UnknownKind", "POST", kMaps, R"({"kind":"Foo","apiVersion":"v1"})", "", 400, "BadRequest",
         "the body cannot be read as a ConfigMap: it is a Foo"},
        {"PlainTextBody", "POST", kMaps, MapText("b"), "text/plain", 415, "UnsupportedMediaType",
         "the body must be one of application/json, application/vnd.kubernetes.protobuf"},
        {"OtherNamespace", "POST", kMaps, R"({"metadata":{"name":"b","namespace":"other"}})", "",
         400, "BadRequest",
         "the namespace of the provided object does not match the namespace sent on the request"},
        {"VersionOnCreate", "POST", kMaps, R"({"metadata":{"name":"b","resourceVersion":"1"}})", "",
         500, "", "a new object has no resourceVersion yet"},
        {"SecondOfAName", "POST", kMaps, MapText("a"), "", 409, "AlreadyExists",
         "configmaps \"a\" already exists"},
        {"CreateOutsideANamespace", "POST", "/api/v1/configmaps", MapText("b"), "", 405,
         "MethodNotAllowed", "the resource does not take this method"},
        {"BadDryRun", "POST", kMaps + "?dryRun=X", MapText("b"), "", 422, "Invalid",
         "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"X\"]: supported "
         "values: \"All\""},
        {"BadFieldValidation", "POST", kMaps + "?fieldValidation=X", MapText("b"), "", 422,
         "Invalid",
         "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"X\": "
         "supported values: \"\", \"Ignore\", \"Strict\", \"Warn\""},
        {"UnknownField", "POST", kMaps + "?fieldValidation=Strict", MapText("b", ",\"foo\":1"), "",
         400, "BadRequest",
         "the body cannot be read as a ConfigMap: strict decoding error: unknown field \"foo\""},
        {"GetMissing", "GET", kMaps + "/z", "", "", 404, "NotFound", "configmaps \"z\" not found"},
        {"UpdateMissing", "PUT", kMaps + "/z", MapText("z"), "", 404, "NotFound",
         "configmaps \"z\" not found"},
        {"UpdateOfAnotherName", "PUT", kMaps + "/a", MapText("z"), "", 400, "BadRequest",
         "the name of the object (z) does not match the name on the URL (a)"},
        {"UpdateWithoutAName", "PUT", kMaps + "/a", R"({"metadata":{}})", "", 400, "BadRequest",
         "the name of the object () does not match the name on the URL (a)"},
        {"StaleUpdate", "PUT", kMaps + "/a", R"({"metadata":{"name":"a","resourceVersion":"1"}})",
         "", 409, "Conflict",
         "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please "
         "apply your changes to the latest version and try again"},
        {"VersionThatIsNoNumber", "PUT", kMaps + "/a",
         R"({"metadata":{"name":"a","resourceVersion":"x"}})", "", 500, "",
         "\"x\" is no version: a number is expected"},
        {"StalePatch", "PATCH", kMaps + "/a", R"({"metadata":{"resourceVersion":"1"}})", kMerge,
         409, "Conflict",
         "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please "
         "apply your changes to the latest version and try again"},
        {"PatchMissing", "PATCH", kMaps + "/z", "{}", kMerge, 404, "NotFound",
         "configmaps \"z\" not found"},
        {"MergePatchThatIsAList", "PATCH", kMaps + "/a", "[]", kMerge, 400, "BadRequest",
         "error decoding patch: an object is expected"},
        {"BadMergePatch", "PATCH", kMaps + "/a", "{bad", kMerge, 400, "BadRequest",
         "error decoding patch: no JSON: syntax error at byte "},
        {"JsonPatchTestFails", "PATCH", kMaps + "/a",
         R"([{"op":"test","path":"/data/x","value":"2"}])", kJsonPatch, 422, "Invalid",
         "the patch does not apply to the object"},
        {"JsonPatchOfNothing", "PATCH", kMaps + "/a", R"([{"op":"remove","path":"/data/no"}])",
         kJsonPatch, 422, "Invalid", "the patch does not apply to the object"},
        {"JsonPatchThatIsAnObject", "PATCH", kMaps + "/a", "{}", kJsonPatch, 400, "BadRequest",
         "error decoding patch: a list is expected"},
        {"BadStrategicPatch", "PATCH", kMaps + "/a", "{bad", kStrategic, 400, "BadRequest",
         "error decoding patch: no JSON: syntax error at byte "},
        {"PatchRenames", "PATCH", kMaps + "/a", R"({"metadata":{"name":"q"}})", kMerge, 400,
         "BadRequest", "the name of the object (q) does not match the name on the URL (a)"},
        {"PatchOfUnknownType", "PATCH", kMaps + "/a", "{}", "text/plain", 415,
         "UnsupportedMediaType",
         "the body must be one of application/json-patch+json, application/merge-patch+json"},
        {"ServerSideApplyByNobody", "PATCH", kMaps + "/a", "{}", "application/apply-patch+yaml",
         422, "Invalid",
         "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for "
         "apply patch"},
        {"DeleteMissing", "DELETE", kMaps + "/z", "", "", 404, "NotFound",
         "configmaps \"z\" not found"},
        {"DeleteWithBadPolicy", "DELETE", kMaps + "/a", R"({"propagationPolicy":"X"})", "", 422,
         "Invalid",
         "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"X\": "
         "supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""},
        {"DeleteWithTwoPolicies", "DELETE",
         kMaps + "/a?propagationPolicy=Orphan&orphanDependents=true", "", "", 422, "Invalid",
         "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Invalid value: \"Orphan\": "
         "orphanDependents and deletionPropagation cannot be both set"},
        {"DeleteWithBadGrace", "DELETE", kMaps + "/a?gracePeriodSeconds=x", "", "", 400,
         "BadRequest", "gracePeriodSeconds: \"x\" is no number of 64 bits"},
        {"UnknownResource", "GET", "/api/v1/foos", "", "", 404, "NotFound",
         "the server could not find the requested resource"},
        {"UnknownVersion", "GET", "/api/v2/pods", "", "", 404, "NotFound",
         "the server could not find the requested resource"},
        {"UnknownSubresource", "GET", "/api/v1/namespaces/default/pods/p/foo", "", "", 404,
         "NotFound", "the server could not find the requested resource"},
        {"StatusOfAKindWithout", "GET", kMaps + "/a/status", "", "", 404, "NotFound",
         "the server could not find the requested resource"},
        {"PostToAnObject", "POST", kMaps + "/a", "{}", "", 405, "MethodNotAllowed",
         "the resource does not take this method"},
        {"BadLimit", "GET", kMaps + "?limit=x", "", "", 400, "BadRequest",
         "limit: \"x\" is no number of 64 bits"},
        {"BadFieldSelector", "GET", kMaps + "?fieldSelector=foo=bar", "", "", 400, "BadRequest",
         "field label not supported: foo"},
        {"BadLabelSelector", "GET", kMaps + "?labelSelector=a%20b", "", "", 400, "BadRequest",
         "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
        {"BadVersionOfAList", "GET", kMaps + "?resourceVersion=foo", "", "", 400, "BadRequest",
         "resourceVersion: \"foo\" is no version: a number is expected"},
        {"MatchWithoutVersion", "GET", kMaps + "?resourceVersionMatch=Exact", "", "", 422,
         "Invalid",
         "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
         "only with resourceVersion"},
        {"WatchWithInitialEventsOnly", "GET", kMaps + "?watch=1&sendInitialEvents=true", "", "",
         422, "Invalid",
         "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
         "with sendInitialEvents it must be NotOlderThan"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(CrudTest, TheLogOfASimulatedPodSaysWhatItIs) {
  TestServer server;
  const std::string pods = "/api/v1/namespaces/default/pods";
  ASSERT_EQ(server
                .Post(pods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1","containers":[)"
                            R"({"name":"c","image":"i"}]}})")
                .status,
            201);
  const Answer log = server.Get(pods + "/p/log");
  EXPECT_EQ(log.status, 200);
  EXPECT_EQ(log.body,
            "basalt: pod p is simulated: no program runs on node n1, and container c logs "
            "nothing\n");
  EXPECT_EQ(server.Get(pods + "/p/log?container=c&follow=true").body, log.body);
  EXPECT_EQ(server.Get(pods + "/p/log?container=d").At("message"),
            "container d is not valid for pod p");
  EXPECT_EQ(server.Get(pods + "/q/log").status, 404);

  ASSERT_EQ(server
                .Post(pods, R"({"metadata":{"name":"two"},"spec":{"containers":[)"
                            R"({"name":"c","image":"i"},{"name":"d","image":"i"}],)"
                            R"("initContainers":[{"name":"e","image":"i"}]}})")
                .status,
            201);
  EXPECT_EQ(server.Get(pods + "/two/log").At("message"), "which container of pod two? [c d e]");
  EXPECT_EQ(server.Get(pods + "/two/log?container=e").body, "") << "it has no node yet";
}

TEST(CrudTest, APathThatNobodyServesIsPlainText) {
  TestServer server;
  const Answer got = server.Get("/apis/foo.example/v1/bars");
  EXPECT_EQ(got.status, 404);
  EXPECT_EQ(got.body, "404 page not found\n");
}

TEST(CrudTest, WithoutTheTokenOnlyHealthAndVersionAreShown) {
  TestServer server({.bearer_token = "secret"});
  EXPECT_EQ(server.Get(kMaps).status, 401);
  EXPECT_EQ(server.Get(kMaps).At("reason"), "Unauthorized");
  EXPECT_EQ(server.Get("/healthz").body, "ok");
  EXPECT_EQ(server.Send("GET", kMaps, "", "", {{"Authorization", "Bearer secre"}}).status, 401);
  EXPECT_EQ(server.Send("GET", kMaps, "", "", {{"Authorization", "Bearer secret"}}).status, 200);
}

TEST(CrudTest, WhatEverybodyMayReadNobodyMaySendTo) {
  TestServer server({.bearer_token = "secret"});
  for (const char* path : {"/healthz", "/livez", "/readyz", "/version"}) {
    EXPECT_EQ(server.Post(path, "").status, 405) << path;
    EXPECT_EQ(server.Post(path, "k8s").status, 405) << path;
    EXPECT_EQ(server.Send("GET", path, "k8s").status, 413) << path;
    EXPECT_EQ(server.Get(path).status, 200) << path;
  }
}

TEST(CrudTest, ABodyBeyondTheLimitIsRefused) {
  TestServer server({.max_body_bytes = 100});
  const Answer got = server.Post(kMaps, std::string(101, ' '));
  EXPECT_EQ(got.status, 413);
  EXPECT_EQ(got.At("reason"), "RequestEntityTooLarge");
  EXPECT_EQ(got.At("message"), "Request entity too large: limit is 100");
}

TEST(CrudTest, UpdateKeepsWhatTheServerOwnsAndAnUnchangedOneIsNoWrite) {
  TestServer server;
  const Answer made = server.Post(kMaps, MapText("a"));
  const Answer updated = server.Put(kMaps + "/a", MapText("a", R"(,"data":{"x":"2"})"));
  ASSERT_EQ(updated.status, 200) << updated.body;
  EXPECT_EQ(updated.At("metadata.uid"), made.At("metadata.uid"));
  EXPECT_NE(updated.At("metadata.resourceVersion"), made.At("metadata.resourceVersion"));
  const Answer again = server.Put(kMaps + "/a", MapText("a", R"(,"data":{"x":"2"})"));
  EXPECT_EQ(again.json, updated.json);
}

TEST(CrudTest, DryRunChangesNothing) {
  TestServer server;
  EXPECT_EQ(server.Post(kMaps + "?dryRun=All", MapText("a")).status, 201);
  EXPECT_EQ(server.Get(kMaps + "/a").status, 404);
  server.Post(kMaps, MapText("a"));
  EXPECT_EQ(server.Patch(kMaps + "/a?dryRun=All", R"({"data":{"x":"1"}})").At("data.x"), "1");
  EXPECT_EQ(server.Get(kMaps + "/a").At("data"), "");
  EXPECT_EQ(server.Delete(kMaps + "/a?dryRun=All").At("status"), "Success");
  EXPECT_EQ(server.Get(kMaps + "/a").status, 200);
}

TEST(CrudTest, DeleteAnswersWithAStatusThatNamesTheObject) {
  TestServer server;
  const Answer made = server.Post(kMaps, MapText("a"));
  const Answer gone = server.Delete(kMaps + "/a");
  EXPECT_EQ(gone.At("status"), "Success");
  EXPECT_EQ(gone.At("details.name"), "a");
  EXPECT_EQ(gone.At("details.kind"), "configmaps");
  EXPECT_EQ(gone.At("details.uid"), made.At("metadata.uid"));
  EXPECT_EQ(server.Get(kMaps + "/a").status, 404);
}

TEST(CrudTest, DeletePreconditionsAreChecked) {
  TestServer server;
  const Answer made = server.Post(kMaps, MapText("a"));
  const Answer uid = server.Delete(kMaps + "/a", R"({"preconditions":{"uid":"abc"}})");
  EXPECT_EQ(uid.status, 409);
  EXPECT_EQ(uid.At("message"),
            "Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (abc) "
            "does not match the one in record (" +
                made.At("metadata.uid") + ")");
  EXPECT_EQ(server.Delete(kMaps + "/a", R"({"preconditions":{"resourceVersion":"1"}})").status,
            409);
  EXPECT_EQ(
      server
          .Delete(kMaps + "/a", R"({"preconditions":{"uid":")" + made.At("metadata.uid") + R"("}})")
          .status,
      200);
}

TEST(CrudTest, AnObjectWithFinalizersGoesWithTheLastOfThem) {
  TestServer server;
  server.Post(kMaps, R"({"metadata":{"name":"a","finalizers":["x.example/y"]}})");
  const Answer marked = server.Delete(kMaps + "/a");
  EXPECT_EQ(marked.At("metadata.deletionTimestamp"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(marked.At("metadata.deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(server.Get(kMaps + "/a").status, 200);
  EXPECT_EQ(server.Patch(kMaps + "/a", R"({"metadata":{"finalizers":null}})").status, 200);
  EXPECT_EQ(server.Get(kMaps + "/a").status, 404);
}

TEST(CrudTest, DeleteCollectionTakesWhatIsSelected) {
  TestServer server;
  server.Post(kMaps, R"({"metadata":{"name":"a","labels":{"x":"y"}}})");
  server.Post(kMaps, R"({"metadata":{"name":"b"}})");
  const Answer gone = server.Delete(kMaps + "?labelSelector=x=y");
  EXPECT_EQ(gone.At("kind"), "ConfigMapList");
  EXPECT_EQ(gone.At("items.0.metadata.name"), "a");
  EXPECT_EQ(server.Get(kMaps + "/a").status, 404);
  EXPECT_EQ(server.Get(kMaps + "/b").status, 200);
}

TEST(CrudTest, ListsPageThroughOneConsistentState) {
  TestServer server;
  for (const char* name : {"a", "b", "c", "d"}) server.Post(kMaps, MapText(name));
  const Answer first = server.Get(kMaps + "?limit=2");
  EXPECT_EQ(first.At("kind"), "ConfigMapList");
  EXPECT_EQ(first.At("items.1.metadata.name"), "b");
  EXPECT_EQ(first.At("items.0.kind"), "");
  EXPECT_EQ(first.At("metadata.remainingItemCount"), "2");
  server.Delete(kMaps + "/c");
  server.Post(kMaps, MapText("bb"));
  const Answer second = server.Get(kMaps + "?limit=2&continue=" + first.At("metadata.continue"));
  EXPECT_EQ(second.At("items.0.metadata.name"), "c");
  EXPECT_EQ(second.At("items.1.metadata.name"), "d");
  EXPECT_EQ(second.At("metadata.resourceVersion"), first.At("metadata.resourceVersion"));
  EXPECT_EQ(second.At("metadata.continue"), "");
}

TEST(CrudTest, EachPageSaysHowManyAreLeftWhateverItsSize) {
  TestServer server;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) server.Post(kMaps, MapText(name));
  Answer page = server.Get(kMaps + "?limit=1");
  EXPECT_EQ(page.At("metadata.remainingItemCount"), "5");
  server.Post(kMaps, MapText("g"));
  page = server.Get(kMaps + "?limit=2&continue=" + page.At("metadata.continue"));
  EXPECT_EQ(page.At("metadata.remainingItemCount"), "3") << "of the state that the list began with";
  page = server.Get(kMaps + "?limit=1&continue=" + page.At("metadata.continue"));
  EXPECT_EQ(page.At("items.0.metadata.name"), "d");
  EXPECT_EQ(page.At("metadata.remainingItemCount"), "2");
  page = server.Get(kMaps + "?limit=2&continue=" + page.At("metadata.continue"));
  EXPECT_EQ(page.At("items.1.metadata.name"), "f");
  EXPECT_EQ(page.At("metadata.continue"), "");
  EXPECT_EQ(page.At("metadata.remainingItemCount"), "");
}

TEST(CrudTest, APageOfAForgottenStateIsGoneAndCanGoOnInconsistently) {
  TestServer server;
  for (const char* name : {"a", "b", "c"}) server.Post(kMaps, MapText(name));
  const Answer first = server.Get(kMaps + "?limit=1");
  server.Post(kMaps, MapText("d"));
  server.server().Compact();
  const Answer gone = server.Get(kMaps + "?limit=1&continue=" + first.At("metadata.continue"));
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(gone.At("reason"), "Expired");
  const Answer on = server.Get(kMaps + "?continue=" + gone.At("metadata.continue"));
  EXPECT_EQ(on.At("items.0.metadata.name"), "b");
  EXPECT_EQ(on.At("items.2.metadata.name"), "d");
}

TEST(CrudTest, SelectorsNarrowALists) {
  TestServer server;
  server.Post(kMaps, R"({"metadata":{"name":"a","labels":{"x":"1"}}})");
  server.Post(kMaps, R"({"metadata":{"name":"b","labels":{"x":"2"}}})");
  server.Post(kMaps, R"({"metadata":{"name":"c"}})");
  const auto names = [&server](const std::string& query) {
    std::string all;
    const Answer got = server.Get(kMaps + query);
    for (const auto& item : got.json.at("items").as_array())
      all += Answer::TextAt(item, "metadata.name");
    return all;
  };
  EXPECT_EQ(names("?labelSelector=x"), "ab");
  EXPECT_EQ(names("?labelSelector=!x"), "c");
  EXPECT_EQ(names("?labelSelector=x%20in%20(2,3)"), "b");
  EXPECT_EQ(names("?labelSelector=x!=1"), "bc");
  EXPECT_EQ(names("?fieldSelector=metadata.name=c"), "c");
  EXPECT_EQ(names("?fieldSelector=metadata.name!=c"), "ab");
}

TEST(CrudTest, TablesAndPartialMetadataAreServedOnRequest) {
  TestServer server;
  server.Post(kMaps, MapText("a"));
  const Answer table =
      server.Get(kMaps, "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
  EXPECT_EQ(table.At("kind"), "Table");
  EXPECT_EQ(table.At("columnDefinitions.0.name"), "Name");
  EXPECT_EQ(table.At("rows.0.cells.0"), "a");
  EXPECT_EQ(table.At("rows.0.object.kind"), "PartialObjectMetadata");
  const Answer partial =
      server.Get(kMaps, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(partial.At("kind"), "PartialObjectMetadataList");
  EXPECT_EQ(partial.At("items.0.metadata.name"), "a");
  EXPECT_EQ(server.Get(kMaps, "application/vnd.kubernetes.protobuf").status, 406);
  EXPECT_EQ(server.Get(kMaps, "application/vnd.kubernetes.protobuf,application/json").status, 200);
}

TEST(WatchTest, FollowsFromAVersion) {
  TestServer server;
  server.Post(kMaps, MapText("a"));
  const Answer list = server.Get(kMaps);
  const auto watch =
      server.Watch(kMaps + "?watch=1&resourceVersion=" + list.At("metadata.resourceVersion"));
  EXPECT_EQ(watch->answer.status, 200);
  server.Post(kMaps, MapText("b"));
  server.Patch(kMaps + "/a", R"({"data":{"x":"1"}})");
  server.Delete(kMaps + "/b");
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED b", "MODIFIED a", "DELETED b"));
  EXPECT_EQ(Answer::TextAt(watch->last, "object.kind"), "ConfigMap");
}

TEST(WatchTest, ResumesFromHistoryWithoutLossOrRepetition) {
  TestServer server;
  server.Post(kMaps, MapText("a"));
  const std::string version = server.Get(kMaps).At("metadata.resourceVersion");
  server.Post(kMaps, MapText("b"));
  server.Delete(kMaps + "/a");
  const auto watch = server.Watch(kMaps + "?watch=true&resourceVersion=" + version);
  server.Post(kMaps, MapText("c"));
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED b", "DELETED a", "ADDED c"));
}

TEST(WatchTest, WithoutAVersionItStartsWithTheState) {
  TestServer server;
  server.Post(kMaps, MapText("a"));
  server.Post(kMaps, MapText("b"));
  const auto watch = server.Watch(kMaps + "?watch=1");
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED a", "ADDED b"));
}

TEST(WatchTest, InitialEventsEndWithAMarkedBookmark) {
  TestServer server;
  server.Post(kMaps, MapText("a"));
  const auto watch = server.Watch(
      kMaps +
      "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED a", "BOOKMARK"));
  EXPECT_EQ(watch->last.at("object")
                .at("metadata")
                .at("annotations")
                .at("k8s.io/initial-events-end")
                .as_string(),
            "true");
  server.Post(kMaps, MapText("b"));
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED b"));
}

TEST(WatchTest, AForgottenVersionIsGone) {
  TestServer server;
  const std::string version = server.Get(kMaps).At("metadata.resourceVersion");
  server.Post(kMaps, MapText("a"));
  server.server().Compact();
  const auto watch = server.Watch(kMaps + "?watch=1&resourceVersion=" + version);
  EXPECT_THAT(watch->Take(), ElementsAre("ERROR"));
  EXPECT_EQ(Answer::TextAt(watch->last, "object.code"), "410");
  EXPECT_EQ(Answer::TextAt(watch->last, "object.reason"), "Expired");
  EXPECT_THAT(Answer::TextAt(watch->last, "object.message"), HasSubstr("too old resource version"));
  EXPECT_TRUE(watch->ended);
}

TEST(WatchTest, ASelectorTurnsChangesIntoComingsAndGoings) {
  TestServer server;
  const auto watch = server.Watch(kMaps + "?watch=1&labelSelector=x=1");
  server.Post(kMaps, MapText("a"));
  EXPECT_THAT(watch->Take(), IsEmpty());
  server.Patch(kMaps + "/a", R"({"metadata":{"labels":{"x":"1"}}})");
  EXPECT_THAT(watch->Take(), ElementsAre("ADDED a"));
  const Answer out = server.Patch(kMaps + "/a", R"({"metadata":{"labels":{"x":"2"}}})");
  EXPECT_THAT(watch->Take(), ElementsAre("DELETED a"));
  EXPECT_EQ(Answer::TextAt(watch->last, "object.metadata.labels.x"), "1");
  EXPECT_EQ(Answer::TextAt(watch->last, "object.metadata.resourceVersion"),
            out.At("metadata.resourceVersion"));
  server.Delete(kMaps + "/a");
  EXPECT_THAT(watch->Take(), IsEmpty());
}

TEST(WatchTest, BookmarksComeInTimeAndTheWatchEndsWhenItsTimeIsUp) {
  TestServer server({.bookmark_interval = 60s});
  const auto watch = server.Watch(kMaps + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=150");
  server.loop().RunFor(130s);
  EXPECT_THAT(watch->Take(), ElementsAre("BOOKMARK", "BOOKMARK"));
  EXPECT_FALSE(watch->ended);
  server.loop().RunFor(30s);
  EXPECT_TRUE(watch->ended);
}

TEST(WatchTest, AClientThatGoesIsForgotten) {
  TestServer server;
  const auto watch = server.Watch(kMaps + "?watch=1");
  watch->Hang();
  server.Post(kMaps, MapText("a"));
  EXPECT_THAT(watch->Take(), IsEmpty());
}

TEST(WatchTest, CloseWatchesEndsThemAll) {
  TestServer server;
  const auto one = server.Watch(kMaps + "?watch=1");
  const auto two = server.Watch("/api/v1/pods?watch=1");
  server.server().CloseWatches();
  EXPECT_TRUE(one->ended);
  EXPECT_TRUE(two->ended);
}

}  // namespace
}  // namespace basalt::apiserver
