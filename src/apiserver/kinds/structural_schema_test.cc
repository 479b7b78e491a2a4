#include "apiserver/kinds/structural_schema.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// A schema whose spec has these properties.
std::shared_ptr<const StructuralSchema> SchemaOf(const std::string& properties,
                                                 const std::string& more = "") {
  const Result<std::shared_ptr<const StructuralSchema>> schema = StructuralSchema::Parse(
      json::parse(R"({"type":"object","properties":{"spec":{"type":"object","properties":)" +
                  properties + more + "}}}")
          .as_object());
  EXPECT_TRUE(schema.has_value()) << properties;
  return schema ? *schema : nullptr;
}

struct SchemaRow {
  const char* property;  // the schema of spec.x
  const char* value;     // of spec.x
  const char* told;      // what is refused, and why
};

TEST(StructuralSchemaTest, ChecksValues) {
  const SchemaRow rows[] = {
      {R"({"type":"string"})", R"("a")", ""},
      {R"({"type":"string"})", "1", "FieldValueTypeInvalid spec.x"},
      {R"({"type":"integer"})", "1.5", "FieldValueTypeInvalid spec.x"},
      {R"({"type":"number"})", "1.5", ""},
      {R"({"type":"boolean"})", R"("true")", "FieldValueTypeInvalid spec.x"},
      {R"({"type":"integer","minimum":2})", "1", "FieldValueInvalid spec.x"},
      {R"({"type":"integer","minimum":2})", "2", ""},
      {R"({"type":"integer","maximum":2})", "3", "FieldValueInvalid spec.x"},
      {R"({"type":"string","enum":["a","b"]})", R"("c")", "FieldValueNotSupported spec.x"},
      {R"({"type":"string","minLength":2})", R"("a")", "FieldValueInvalid spec.x"},
      {R"({"type":"string","maxLength":2})", R"("abc")", "FieldValueTooLong spec.x"},
      {R"({"type":"string","pattern":"^a+$"})", R"("ab")", "FieldValueInvalid spec.x"},
      {R"({"type":"string","pattern":"^a+$"})", R"("aa")", ""},
      {R"({"type":"array","maxItems":1,"items":{"type":"string"}})", R"(["a","b"])",
       "FieldValueTooMany spec.x"},
      {R"({"type":"array","items":{"type":"integer"}})", R"([1,"b"])",
       "FieldValueTypeInvalid spec.x[1]"},
      {R"({"type":"object","required":["y"],"properties":{"y":{"type":"integer"}}})", "{}",
       "FieldValueRequired spec.x.y"},
      {R"({"type":"object","additionalProperties":{"type":"integer"}})", R"({"k":"v"})",
       "FieldValueTypeInvalid spec.x.k"},
  };
  for (const SchemaRow& row : rows) {
    const auto schema = SchemaOf(R"({"x":)" + std::string(row.property) + "}");
    ASSERT_NE(schema, nullptr);
    json::object object{{"spec", {{"x", json::parse(row.value)}}}};
    FieldErrors errors;
    schema->Validate(object, errors);
    std::string told;
    for (const FieldError& error : errors.all()) {
      told += (told.empty() ? "" : ", ") + error.type + " " + error.field;
    }
    EXPECT_EQ(told, row.told) << row.property << " " << row.value;
  }
}

TEST(StructuralSchemaTest, APropertyMayBeCalledLikeAKeyword) {
  const auto schema = SchemaOf(R"({"default":{"type":"string","pattern":"^a+$"},
      "pattern":{"type":"string"},"properties":{"type":"object","default":{"pattern":"("},
        "properties":{"enum":{"type":"string","pattern":"^b+$"}}}})");
  ASSERT_NE(schema, nullptr);
  json::object object =
      json::parse(R"({"spec":{"default":"b","pattern":"(","properties":{"enum":"a"}}})")
          .as_object();
  FieldErrors errors;
  schema->Validate(object, errors);
  ASSERT_EQ(errors.all().size(), 2u);
  EXPECT_EQ(errors.all()[0].field, "spec.default");
  EXPECT_EQ(errors.all()[1].field, "spec.properties.enum");
}

TEST(StructuralSchemaTest, DropsWhatItDoesNotName) {
  const auto schema = SchemaOf(R"({"x":{"type":"integer"},
      "open":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
      "list":{"type":"array","items":{"type":"object","properties":{"n":{"type":"string"}}}}})");
  json::object object = json::parse(R"({"kind":"K","metadata":{"name":"a"},"more":1,
        "spec":{"x":1,"y":2,"open":{"z":3},"list":[{"n":"a","m":"b"}]}})")
                            .as_object();
  std::vector<std::string> unknown;
  schema->Prune(object, &unknown);
  EXPECT_EQ(object.at("spec"), json::parse(R"({"x":1,"open":{"z":3},"list":[{"n":"a"}]})"));
  EXPECT_EQ(unknown.size(), 3u);
  EXPECT_EQ(GetString(object, {"metadata", "name"}), "a");
}

TEST(StructuralSchemaTest, FillsInDefaultsInsideOfWhatIsThere) {
  const auto schema = SchemaOf(R"({"x":{"type":"integer","default":7},
      "part":{"type":"object","properties":{"y":{"type":"string","default":"a"}}}})");
  json::object object = json::parse(R"({"spec":{"part":{}}})").as_object();
  schema->Default(object);
  EXPECT_EQ(GetInt(object, {"spec", "x"}), 7);
  EXPECT_EQ(GetString(object, {"spec", "part", "y"}), "a");
  json::object given = json::parse(R"({"spec":{"x":1}})").as_object();
  schema->Default(given);
  EXPECT_EQ(json::serialize(given), R"({"spec":{"x":1}})") << "a part that is absent stays so";
}

TEST(StructuralSchemaTest, KnowsThatThereAreRulesThatItDoesNotEvaluate) {
  EXPECT_FALSE(SchemaOf(R"({"x":{"type":"integer"}})")->has_rules());
  EXPECT_TRUE(SchemaOf(R"({"x":{"type":"integer","x-kubernetes-validations":[{"rule":"self>1"}]}})")
                  ->has_rules());
}

}  // namespace
}  // namespace basalt::apiserver
