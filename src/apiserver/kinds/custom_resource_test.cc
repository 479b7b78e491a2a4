#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

const std::string kWidgets = "/apis/example.com/v1/namespaces/default/widgets";

const std::string kDefinition = R"({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "widgets.example.com"},
  "spec": {
    "group": "example.com", "scope": "Namespaced",
    "names": {"plural": "widgets", "kind": "Widget", "shortNames": ["wd"]},
    "versions": [{
      "name": "v1", "served": true, "storage": true,
      "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                                               "statusReplicasPath": ".status.replicas"}},
      "additionalPrinterColumns": [
        {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
        {"name": "Ready", "type": "string",
         "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"}],
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {
        "spec": {"type": "object", "required": ["size"], "properties": {
          "size": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 10},
          "mode": {"type": "string", "enum": ["A", "B"], "default": "A"},
          "name": {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"},
          "list": {"type": "array", "maxItems": 2, "minItems": 1,
                   "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                   "items": {"type": "object", "required": ["k"],
                             "properties": {"k": {"type": "string"}}}},
          "map": {"type": "object", "additionalProperties": {"type": "integer"}},
          "ios": {"x-kubernetes-int-or-string": true},
          "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
          "nul": {"type": "string", "nullable": true},
          "obj": {"type": "object", "properties": {"d": {"type": "integer", "default": 3}}},
          "replicas": {"type": "integer"}}},
        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}
    }]}})";

std::string Widget(const std::string& name, const std::string& spec) {
  return R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":")" + name +
         R"("},"spec":)" + spec + "}";
}

class CustomResourceTest : public testing::Test {
 protected:
  void SetUp() override {
    const Answer made = server_.Post(kDefinitions, kDefinition);
    ASSERT_EQ(made.status, 201) << made.body;
  }
  TestServer server_;
};

TEST_F(CustomResourceTest, ADefinitionIsEstablishedAndDiscovered) {
  const Answer definition = server_.Get(kDefinitions + "/widgets.example.com");
  EXPECT_EQ(definition.At("status.conditions.0.type"), "NamesAccepted");
  EXPECT_EQ(definition.At("status.conditions.1.type"), "Established");
  EXPECT_EQ(definition.At("status.conditions.1.status"), "True");
  EXPECT_EQ(definition.At("status.acceptedNames.listKind"), "WidgetList");
  const Answer list = server_.Get("/apis/example.com/v1");
  EXPECT_EQ(list.At("resources.0.name"), "widgets");
  EXPECT_EQ(list.At("resources.0.shortNames.0"), "wd");
  EXPECT_EQ(list.At("resources.1.name"), "widgets/scale");
  EXPECT_EQ(list.At("resources.2.name"), "widgets/status");
}

TEST_F(CustomResourceTest, DropsWhatTheSchemaDoesNotKnowAndFillsInDefaults) {
  const Answer made = server_.Post(
      kWidgets, Widget("a", R"({"size":3,"foo":1,"any":{"z":1},"nul":null,"name":null,"obj":{}})"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.json.at("spec"),
            boost::json::parse(R"({"size":3,"any":{"z":1},"nul":null,"mode":"A","obj":{"d":3}})"))
      << made.body;
  EXPECT_EQ(made.At("metadata.generation"), "1");
  const Answer list = server_.Get(kWidgets);
  EXPECT_EQ(list.At("kind"), "WidgetList");
  EXPECT_EQ(list.At("items.0.kind"), "Widget");
}

TEST_F(CustomResourceTest, StatusAndSpecAreWrittenApart) {
  server_.Post(kWidgets, Widget("a", R"({"size":3})"));
  const Answer spec =
      server_.Patch(kWidgets + "/a", R"({"spec":{"size":4},"status":{"phase":"x"}})");
  EXPECT_EQ(spec.At("spec.size"), "4");
  EXPECT_EQ(spec.At("status"), "");
  EXPECT_EQ(spec.At("metadata.generation"), "2");
  const Answer status =
      server_.Patch(kWidgets + "/a/status", R"({"spec":{"size":5},"status":{"phase":"x"}})");
  EXPECT_EQ(status.At("spec.size"), "4");
  EXPECT_EQ(status.At("status.phase"), "x");
  EXPECT_EQ(status.At("metadata.generation"), "2");
}

TEST_F(CustomResourceTest, ScalesThroughItsPaths) {
  server_.Post(kWidgets, Widget("a", R"({"size":3})"));
  EXPECT_EQ(server_.Get(kWidgets + "/a/scale").status, 500);
  const Answer scaled = server_.Patch(kWidgets + "/a/scale", R"({"spec":{"replicas":7}})");
  EXPECT_EQ(scaled.At("kind"), "Scale") << scaled.body;
  EXPECT_EQ(scaled.At("spec.replicas"), "7");
  EXPECT_EQ(server_.Get(kWidgets + "/a").At("spec.replicas"), "7");
}

TEST_F(CustomResourceTest, ShowsItsPrinterColumns) {
  server_.Post(kWidgets, Widget("a", R"({"size":3})"));
  server_.Patch(
      kWidgets + "/a/status",
      R"({"status":{"conditions":[{"type":"X","status":"no"},{"type":"Ready","status":"yes"}]}})");
  const Answer table = server_.Get(kWidgets, "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.At("columnDefinitions.1.name"), "Size");
  EXPECT_EQ(table.At("rows.0.cells"), R"(["a",3,"yes"])");
}

TEST_F(CustomResourceTest, ADeletedDefinitionTakesItsObjectsAndItsKindWithIt) {
  server_.Post(kWidgets, Widget("a", R"({"size":3})"));
  const auto watch = server_.Watch(kWidgets + "?watch=1");
  server_.Delete(kDefinitions + "/widgets.example.com");
  EXPECT_THAT(watch->Take(), testing::ElementsAre("ADDED a", "DELETED a"));
  EXPECT_TRUE(watch->ended);
  EXPECT_EQ(server_.Get(kDefinitions + "/widgets.example.com").status, 404);
  EXPECT_EQ(server_.Get(kWidgets).status, 404);
  EXPECT_EQ(server_.Get("/apis/example.com/v1").status, 404);
}

struct Wrong {
  std::string name;
  std::string body;
  int status;
  std::string message;
};

class WrongCustomResourceTest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongCustomResourceTest, IsRefusedWithTheFieldAndWhy) {
  TestServer server;
  ASSERT_EQ(server.Post(kDefinitions, kDefinition).status, 201);
  const Answer got = server.Post(kWidgets + "?fieldValidation=Strict", GetParam().body);
  EXPECT_EQ(got.status, GetParam().status);
  EXPECT_EQ(got.At("message"), GetParam().message);
}

const std::string kHead = "Widget.example.com \"b\" is invalid: ";

INSTANTIATE_TEST_SUITE_P(
    All, WrongCustomResourceTest,
    testing::ValuesIn<Wrong>({
        {"Required", Widget("b", "{}"), 422, kHead + "spec.size: Required value"},
        {"Type", Widget("b", R"({"size":"x"})"), 422,
         kHead + "spec.size: Invalid value: \"string\": must be of type integer"},
        {"Minimum", Widget("b", R"({"size":0})"), 422,
         kHead + "spec.size: Invalid value: 0: should be greater than or equal to 1"},
        {"Maximum", Widget("b", R"({"size":11})"), 422,
         kHead + "spec.size: Invalid value: 11: should be less than or equal to 10"},
        {"Fraction", Widget("b", R"({"size":1.5})"), 422,
         kHead + "spec.size: Invalid value: \"number\": must be of type integer"},
        {"Enum", Widget("b", R"({"size":1,"mode":"Z"})"), 422,
         kHead + "spec.mode: Unsupported value: \"Z\": supported values: \"A\", \"B\""},
        {"MinLength", Widget("b", R"({"size":1,"name":"a"})"), 422,
         kHead + "spec.name: Invalid value: 1: must have at least 2"},
        {"MaxLength", Widget("b", R"({"size":1,"name":"abcdef"})"), 422,
         kHead + "spec.name: Too long: may not be more than 4 bytes"},
        {"Pattern", Widget("b", R"({"size":1,"name":"AB"})"), 422,
         kHead + "spec.name: Invalid value: \"AB\": must match '^[a-z]+$'"},
        {"MinItems", Widget("b", R"({"size":1,"list":[]})"), 422,
         kHead + "spec.list: Invalid value: 0: must have at least 1"},
        {"MaxItems", Widget("b", R"({"size":1,"list":[{"k":"a"},{"k":"b"},{"k":"c"}]})"), 422,
         kHead + "spec.list: Too many: 3: must have at most 2 items"},
        {"RequiredInAnItem", Widget("b", R"({"size":1,"list":[{}]})"), 422,
         kHead + "spec.list[0].k: Required value"},
        {"DuplicateKey", Widget("b", R"({"size":1,"list":[{"k":"a"},{"k":"a"}]})"), 422,
         kHead + "spec.list[1]: Duplicate value: {\"k\":\"a\"}"},
        {"MapValue", Widget("b", R"({"size":1,"map":{"a":"x"}})"), 422,
         kHead + "spec.map.a: Invalid value: \"string\": must be of type integer"},
        {"IntOrString", Widget("b", R"({"size":1,"ios":true})"), 422,
         kHead + "spec.ios: Invalid value: \"boolean\": must be of type integer or string"},
        {"WithoutKind", R"({"metadata":{"name":"b"}})", 400,
         "the body cannot be read as a Widget: its kind is missing"},
        {"OtherVersion",
         R"({"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"b"}})", 400,
         "the body cannot be read as a Widget: it is of version example.com/v2, not "
         "example.com/v1"},
        {"UnknownField", Widget("b", R"({"size":1,"foo":1})"), 400,
         "the body cannot be read as a Widget: strict decoding error: unknown field "
         "\"spec.foo\""},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DefinitionTest, AWrongOneIsRefused) {
  TestServer server;
  std::string misnamed = kDefinition;
  misnamed.replace(misnamed.find("widgets.example.com"), 7, "gadgets");
  const Answer got = server.Post(kDefinitions, misnamed);
  EXPECT_EQ(got.status, 422);
  EXPECT_THAT(got.At("message"), testing::HasSubstr("must be spec.names.plural+\".\"+spec.group"));
}

}  // namespace
}  // namespace basalt::apiserver
