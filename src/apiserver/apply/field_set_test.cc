#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/apply/merge.h"

namespace basalt::apiserver {
namespace {

FieldSet SetOf(const char* fields) {
  return FieldSet::FromFieldsV1(boost::json::parse(fields).as_object());
}

std::string TextOfSet(const FieldSet& set) { return boost::json::serialize(set.ToFieldsV1()); }

constexpr const char* kA = R"({"f:spec":{"f:a":{},"f:b":{".":{},"f:c":{}}}})";
constexpr const char* kB = R"({"f:spec":{"f:a":{},"f:b":{"f:d":{}}}})";

TEST(FieldSetTest, ComesBackFromTheWireAsItWent) {
  for (const char* fields :
       {"{}", kA, R"({"f:list":{"k:{\"name\":\"c\"}":{".":{},"f:image":{}},"v:\"x\"":{}}})"}) {
    EXPECT_EQ(TextOfSet(SetOf(fields)), fields);
  }
  EXPECT_TRUE(SetOf(R"({"nonsense":{},"f":{},"f:x":7})").Empty()) << "what it does not understand";
}

TEST(FieldSetTest, UnitesIntersectsAndSubtracts) {
  EXPECT_EQ(TextOfSet(SetOf(kA) | SetOf(kB)),
            R"({"f:spec":{"f:a":{},"f:b":{".":{},"f:c":{},"f:d":{}}}})");
  EXPECT_EQ(TextOfSet(SetOf(kA) & SetOf(kB)), R"({"f:spec":{"f:a":{}}})");
  EXPECT_EQ(TextOfSet(SetOf(kA) - SetOf(kB)), R"({"f:spec":{"f:b":{".":{},"f:c":{}}}})");
  EXPECT_TRUE((SetOf(kA) - SetOf(kA)).Empty());
  EXPECT_TRUE((SetOf(kA) & FieldSet()).Empty());
  EXPECT_EQ(TextOfSet(FieldSet() | SetOf(kA)), kA);
}

TEST(FieldSetTest, ItsPathsAreReadable) {
  const FieldSet set = SetOf(
      R"({"f:spec":{"f:list":{"k:{\"name\":\"c\",\"port\":1}":{".":{},"f:image":{}},"v:\"x\"":{},
        "i:0":{}}}})");
  const std::vector<std::string> paths = set.Paths();
  EXPECT_EQ(paths, (std::vector<std::string>{".spec.list[0]", R"(.spec.list[name="c",port=1])",
                                             R"(.spec.list[="x"])",
                                             R"(.spec.list[name="c",port=1].image)"}));
}

}  // namespace
}  // namespace basalt::apiserver
