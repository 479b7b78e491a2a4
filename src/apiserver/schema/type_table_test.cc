#include <gtest/gtest.h>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

constexpr std::string_view kTable = R"(
=core io.k8s.api.core.v1
core.Part# name:string!$ size:*int32
core.Whole amounts:{}quantity# bytes:bytes labels:{}string mode:string&Fast
  parts:[]core.Part+name=name names:[]string= plain:core.Part~ source:*core.Part%
  since:microtime
)";

TEST(TypeTableTest, ReadsFieldsTheirTypesAndFlags) {
  const TypeTable table(kTable);
  const TypeSchema* whole = table.Find("core.Whole");
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->published_name, "io.k8s.api.core.v1.Whole");
  EXPECT_EQ(whole->FindField("bytes")->type->kind, Kind::kBytes);
  EXPECT_EQ(whole->FindField("since")->type->kind, Kind::kMicroTime);
  EXPECT_EQ(whole->FindField("mode")->default_value, "Fast");
  EXPECT_TRUE(whole->FindField("plain")->omit_zero);
  EXPECT_EQ(whole->FindField("none"), nullptr);
  const TypeSchema& amounts = *whole->FindField("amounts")->type;
  EXPECT_EQ(amounts.kind, Kind::kMap);
  EXPECT_EQ(amounts.element->kind, Kind::kQuantity);
  EXPECT_TRUE(amounts.atomic);
  EXPECT_FALSE(whole->FindField("labels")->type->atomic);
  const TypeSchema* part = table.Find("core.Part");
  EXPECT_TRUE(part->atomic);
  EXPECT_TRUE(part->FindField("name")->required);
  EXPECT_FALSE(part->FindField("name")->omit_empty);
  EXPECT_TRUE(part->FindField("size")->pointer);
}

TEST(TypeTableTest, ListsSayHowTheyAreMerged) {
  const TypeTable table(kTable);
  const TypeSchema& parts = *table.Find("core.Whole")->FindField("parts")->type;
  EXPECT_TRUE(parts.merge);
  EXPECT_EQ(parts.merge_key, "name");
  EXPECT_EQ(parts.list_type, TypeSchema::ListType::kMap);
  EXPECT_EQ(parts.list_keys, std::vector<std::string>{"name"});
  const TypeSchema& names = *table.Find("core.Whole")->FindField("names")->type;
  EXPECT_EQ(names.list_type, TypeSchema::ListType::kSet);
  EXPECT_FALSE(names.merge);
}

TEST(TypeTableTest, AFieldThatIsPatchedItsOwnWayDoesNotChangeItsTypeElsewhere) {
  const TypeTable table(kTable);
  const TypeSchema* whole = table.Find("core.Whole");
  EXPECT_TRUE(whole->FindField("source")->type->retain_keys);
  EXPECT_FALSE(whole->FindField("plain")->type->retain_keys);
  EXPECT_EQ(whole->FindField("source")->type->fields.size(), 2u);
}

TEST(TypeTableDeathTest, WhatItCannotReadEndsTheProgram) {
  for (const char* text : {"core.A b", "core.A b:nothing", "core.A b:[]core.None",
                           "NoGroup a:string", "core.A a:string\ncore.A b:string"}) {
    EXPECT_DEATH(TypeTable{text}, "") << text;
  }
}

}  // namespace
}  // namespace basalt::apiserver
