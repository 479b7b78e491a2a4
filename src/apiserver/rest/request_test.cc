#include "apiserver/rest/request.h"

#include <gtest/gtest.h>

// What a request's line and headers say.
namespace basalt::apiserver {
namespace {

struct PathRow {
  const char* path;
  ResourcePath means;
};

TEST(RequestPathTest, NamesAGroupAVersionANamespaceAndAnObject) {
  const PathRow rows[] = {
      {"/api/v1/nodes", {.version = "v1", .resource = "nodes"}},
      {"/api/v1/nodes/n", {.version = "v1", .resource = "nodes", .name = "n"}},
      {"//api/v1//nodes/", {.version = "v1", .resource = "nodes"}},
      {"/api/v1/namespaces/a/pods/p/log",
       {.version = "v1",
        .ns = "a",
        .resource = "pods",
        .name = "p",
        .subresource = "log",
        .in_namespace = true}},
      {"/apis/apps/v1/namespaces/a/deployments",
       {.group = "apps",
        .version = "v1",
        .ns = "a",
        .resource = "deployments",
        .in_namespace = true}},
      {"/apis/apps/v1/deployments", {.group = "apps", .version = "v1", .resource = "deployments"}},
      {"/api/v1/namespaces", {.version = "v1", .resource = "namespaces"}},
      {"/api/v1/namespaces/a", {.version = "v1", .resource = "namespaces", .name = "a"}},
      {"/api/v1/namespaces/a/status",
       {.version = "v1", .resource = "namespaces", .name = "a", .subresource = "status"}},
      {"/api/v1/namespaces/a/finalize",
       {.version = "v1", .resource = "namespaces", .name = "a", .subresource = "finalize"}},
      {"/api/v1/nodes/n/proxy/a/b",
       {.version = "v1", .resource = "nodes", .name = "n", .subresource = "proxy/a/b"}},
  };
  for (const PathRow& row : rows) {
    const std::optional<ResourcePath> path = ParseResourcePath(row.path);
    ASSERT_TRUE(path.has_value()) << row.path;
    EXPECT_EQ(*path, row.means) << row.path;
  }
}

TEST(RequestPathTest, WhatNamesNoResourceIsNone) {
  for (const char* path : {"", "/", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1",
                           "/version", "/healthz/ping", "/v1/pods"}) {
    EXPECT_FALSE(ParseResourcePath(path).has_value()) << path;
  }
}

TEST(QueryTest, IsDecodedAndItsFirstValueCounts) {
  const Query query = Query::Parse("a=1&a=2&b=x%2Fy+z&c&d=&=e&bad=%zz&f=%4");
  EXPECT_EQ(query.Get("a"), "1");
  EXPECT_EQ(query.All("a"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(query.Get("b"), "x/y z");
  EXPECT_TRUE(query.Has("c"));
  EXPECT_EQ(query.Get("d"), "");
  EXPECT_FALSE(query.Has("bad")) << "a broken escape";
  EXPECT_FALSE(query.Has("f"));
  EXPECT_FALSE(query.Has("g"));
}

TEST(QueryTest, TruthsAndNumbers) {
  const Query query = Query::Parse("t=true&e=&o=1&f=false&z=0&n=-7&x=7x&big=9223372036854775808");
  EXPECT_TRUE(query.GetBool("t"));
  EXPECT_TRUE(query.GetBool("o"));
  EXPECT_FALSE(query.GetBool("f"));
  EXPECT_FALSE(query.GetBool("z"));
  EXPECT_FALSE(query.GetBool("absent"));
  EXPECT_EQ(**query.GetInt("n"), -7);
  EXPECT_EQ(*query.GetInt("e"), std::nullopt);
  EXPECT_EQ(*query.GetInt("absent"), std::nullopt);
  EXPECT_EQ(query.GetInt("x").error().message, "x: \"7x\" is no number of 64 bits");
  EXPECT_EQ(query.GetInt("big").error().code, 400);
}

TEST(QueryTest, APlusIsASpaceAndABrokenEscapeIsLeftOut) {
  const Query query = Query::Parse("a+b=c+%20d%2B&broken=%");
  EXPECT_EQ(query.Get("a b"), "c  d+");
  EXPECT_FALSE(query.Has("broken"));
}

struct AcceptRow {
  const char* accept;
  OutputFormat::Shape shape;
  bool of_list = false;
};

TEST(AcceptTest, TheFirstFormThatCanBeServedIs) {
  using Shape = OutputFormat::Shape;
  const AcceptRow rows[] = {
      {"", Shape::kObject},
      {"application/json", Shape::kObject},
      {"*/*", Shape::kObject},
      {"application/vnd.kubernetes.protobuf, application/json", Shape::kObject},
      {"application/json;as=Table;v=v1;g=meta.k8s.io,application/json", Shape::kTable},
      {"application/json; as=Table; v=v1beta1; g=meta.k8s.io", Shape::kTable},
      {"application/json;as=Table;v=v2;g=meta.k8s.io,application/json", Shape::kObject},
      {"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", Shape::kPartialMetadata},
      {"application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", Shape::kPartialMetadata,
       true},
  };
  for (const AcceptRow& row : rows) {
    const ApiResult<OutputFormat> format = NegotiateOutput(row.accept);
    ASSERT_TRUE(format.has_value()) << row.accept;
    EXPECT_EQ(format->shape, row.shape) << row.accept;
    EXPECT_EQ(format->of_list, row.of_list) << row.accept;
  }
  for (const char* accept : {"text/html", "application/vnd.kubernetes.protobuf",
                             "application/json;as=Dream;v=v1;g=meta.k8s.io"}) {
    EXPECT_EQ(NegotiateOutput(accept).error().code, 406) << accept;
  }
}

struct OptionsRow {
  const char* query;
  bool watch;
  const char* field;  // the one that is refused; empty: none is
};

TEST(ListOptionsTest, OptionsThatDoNotGoTogetherAreRefused) {
  const OptionsRow rows[] = {
      {"limit=5&resourceVersion=7&resourceVersionMatch=Exact", false, ""},
      {"resourceVersion=0&resourceVersionMatch=NotOlderThan", false, ""},
      {"resourceVersionMatch=Exact", false, "resourceVersionMatch"},
      {"resourceVersion=0&resourceVersionMatch=Exact", false, "resourceVersionMatch"},
      {"resourceVersion=7&resourceVersionMatch=About", false, "resourceVersionMatch"},
      {"continue=c&resourceVersionMatch=Exact", false, "resourceVersionMatch"},
      {"sendInitialEvents=true", false, "sendInitialEvents"},
      {"resourceVersionMatch=NotOlderThan", true, "resourceVersionMatch"},
      {"sendInitialEvents=true", true, "resourceVersionMatch"},
      {"sendInitialEvents=true&resourceVersionMatch=Exact", true, "resourceVersionMatch"},
      {"sendInitialEvents=true&resourceVersionMatch=NotOlderThan", true, "sendInitialEvents"},
      {"sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", true,
       ""},
      {"sendInitialEvents=false&resourceVersionMatch=NotOlderThan", true, ""},
  };
  for (const OptionsRow& row : rows) {
    const ApiResult<ListOptions> options = ListOptions::Parse(Query::Parse(row.query), row.watch);
    if (*row.field == '\0') {
      EXPECT_TRUE(options.has_value()) << row.query;
      continue;
    }
    ASSERT_FALSE(options.has_value()) << row.query;
    EXPECT_EQ(options.error().code, 422);
    EXPECT_EQ(options.error().details->causes.at(0).field, row.field) << row.query;
  }
}

TEST(ContinueTokenTest, ComesBackAsItWentAndNothingElseDoes) {
  const ContinueToken token{.version = 42, .start = "ns/name\n", .rest = 7};
  const ApiResult<ContinueToken> back = ContinueToken::Decode(token.Encode());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->version, 42u);
  EXPECT_EQ(back->start, "ns/name\n");
  EXPECT_EQ(back->rest, 7u);
  for (const std::string& bad :
       {std::string("%"), std::string("e30"), std::string("W10"), std::string("bm9uc2Vuc2U"),
        ContinueToken{.version = 0, .start = "a"}.Encode(),
        ContinueToken{.version = 1, .start = ""}.Encode()}) {
    EXPECT_EQ(ContinueToken::Decode(bad).error().code, 400) << bad;
  }
}

TEST(VersionTest, IsAWholeNumber) {
  EXPECT_EQ(ParseVersion("0"), 0u);
  EXPECT_EQ(ParseVersion("18446744073709551615"), 18446744073709551615u);
  for (const char* text : {"", "-1", "1.0", "0x1", "18446744073709551616"}) {
    EXPECT_EQ(ParseVersion(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace basalt::apiserver
