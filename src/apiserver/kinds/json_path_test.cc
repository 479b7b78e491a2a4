#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/kinds/cells.h"

namespace basalt::apiserver {
namespace {

std::string Found(const char* path, const char* text) {
  const Result<JsonPath> parsed = JsonPath::Parse(path);
  EXPECT_TRUE(parsed.has_value()) << path;
  const json::object object = json::parse(text).as_object();
  std::string found;
  for (const json::value* value : parsed->Find(object)) {
    found += (found.empty() ? "" : " ") + json::serialize(*value);
  }
  return found;
}

struct PathTo {
  const char* path;
  const char* found;
};

TEST(JsonPathTest, LeadsToValues) {
  const char* document = R"({"spec":{"a.b":1,"list":[{"n":"x","v":1},{"n":"y","v":2,"on":true}],
                             "map":{"p":3,"q":4}}})";
  const PathTo rows[] = {
      {".spec.map.p", "3"},
      {"{.spec.map.p}", "3"},
      {"$.spec.map.p", "3"},
      {".spec['map']['q']", "4"},
      {".spec.a\\.b", "1"},
      {".spec['a.b']", "1"},
      {".spec.list[0].n", R"("x")"},
      {".spec.list[-1].n", R"("y")"},
      {".spec.list[7].n", ""},
      {".spec.list[*].v", "1 2"},
      {".spec.map.*", "3 4"},
      {R"(.spec.list[?(@.n=="y")].v)", "2"},
      {R"(.spec.list[?(@.n!="y")].v)", "1"},
      {".spec.list[?(@.v==2)].n", R"("y")"},
      {".spec.list[?(@.on==true)].n", R"("y")"},
      {".spec.list[?(@.none==true)].n", ""},
      {".spec.none.deeper", ""},
      {".spec.map.p.deeper", ""},
      {".spec.map[0]", ""},
      {"", ""},
  };
  for (const PathTo& row : rows) EXPECT_EQ(Found(row.path, document), row.found) << row.path;
}

TEST(JsonPathTest, WhatItCannotReadIsRefused) {
  for (const char* path :
       {"spec", ".spec[", ".spec[x]", ".a[?(b)]", ".a[?(@.b>1)]", ".a[?(b==1)]", ".a[?(@.b==c)]"}) {
    EXPECT_FALSE(JsonPath::Parse(path).has_value()) << path;
  }
  std::string endless;
  for (int i = 0; i < 10000; ++i) endless += ".a";
  EXPECT_FALSE(JsonPath::Parse(endless).has_value());
}

TEST(JsonPathTest, SetsWhatPlainNamesLeadTo) {
  json::object object = json::parse(R"({"a":{"b":1},"c":2})").as_object();
  EXPECT_TRUE(JsonPath::Parse(".a.b")->Set(object, 5));
  EXPECT_TRUE(JsonPath::Parse(".x.y.z")->Set(object, 6));
  EXPECT_FALSE(JsonPath::Parse(".c.d")->Set(object, 7)) << "a number is in the way";
  EXPECT_FALSE(JsonPath::Parse(".a[0]")->Set(object, 8));
  EXPECT_EQ(json::serialize(object), R"({"a":{"b":5},"c":2,"x":{"y":{"z":6}}})");
}

}  // namespace
}  // namespace basalt::apiserver
