#include "kube/types/selector.h"

#include <gtest/gtest.h>

namespace basalt::kube {
namespace {

const StringMap kLabels = {{"app", "web"}, {"tier", "front"}, {"cores", "16"}, {"empty", ""}};

TEST(LabelSelector, MatchesByItsRequirements) {
  const std::pair<std::string, bool> cases[] = {
      {"", true},
      {"app=web", true},
      {"app==web", true},
      {"app=db", false},
      {"app!=db", true},
      {"missing!=x", true},
      {"missing=x", false},
      {"app in (db,web)", true},
      {"app in (db)", false},
      {"app notin (db)", true},
      {"missing notin (x)", true},
      {"app notin (web,db)", false},
      {"app", true},
      {"missing", false},
      {"!missing", true},
      {"!app", false},
      {"cores>8", true},
      {"cores<8", false},
      {"app>8", false},
      {"missing>8", false},
      {"empty=", true},
      {"empty in ()", true},
      {"empty in (,x)", true},
      {"app = web , tier in ( front , back ),!missing", true},
      {"app=web,tier=back", false},
  };
  for (const auto& [text, want] : cases) {
    const Result<LabelSelector> selector = LabelSelector::Parse(text);
    ASSERT_TRUE(selector) << text << ": " << selector.error().message;
    EXPECT_EQ(selector->Matches(kLabels), want) << text;
  }
}

TEST(LabelSelector, PrintsSortedByKey) {
  EXPECT_EQ(LabelSelector::Parse("z, b in (y,x),!a,c!=1,d>5")->ToString(),
            "!a,b in (x,y),c!=1,d>5,z");
  EXPECT_EQ(LabelSelector::OfLabels(kLabels).ToString(), "app=web,cores=16,empty=,tier=front");
}

TEST(LabelSelector, RefusesInKubernetesWords) {
  const std::string name_rule =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
      "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const std::pair<std::string, std::string> cases[] = {
      {"a,", "found '', expected: identifier after ','"},
      {"=b", "found '=', expected: !, identifier, or 'end of string'"},
      {"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"a in b", "unable to parse requirement: found 'b' expected: '('"},
      {"a in (b", "unable to parse requirement: found '', expected: ',' or ')'"},
      {"a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"},
      {"a=(", "unable to parse requirement: found '(', expected: identifier"},
      {"!", "unable to parse requirement: found '', expected: identifier"},
      {"a=b)", "found ')', expected: ',' or 'end of string'"},
      {"a$=b", "unable to parse requirement: <nil>: Invalid value: \"a$\": name part " + name_rule},
      {"a>x",
       "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, "
       "the value must be an integer"},
      {"/a",
       "unable to parse requirement: <nil>: Invalid value: \"/a\": prefix part must be "
       "non-empty"},
  };
  for (const auto& [text, message] : cases) {
    const Result<LabelSelector> selector = LabelSelector::Parse(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().message, message);
  }
}

TEST(LabelSelector, ThatIsAbsentSelectsNothing) {
  EXPECT_FALSE(Matches(std::nullopt, kLabels));
  EXPECT_TRUE(Matches(LabelSelector(), kLabels));
}

TEST(FieldSelector, MatchesFields) {
  const auto fields = [](std::string_view field) -> std::string {
    if (field == "metadata.name") return "a,b=c\\";
    if (field == "spec.nodeName") return "";
    return "x";
  };
  const std::pair<std::string, bool> cases[] = {
      {"", true},
      {R"(metadata.name=a\,b\=c\\)", true},
      {R"(metadata.name==a\,b\=c\\,spec.nodeName=)", true},
      {"spec.nodeName!=n1", true},
      {"spec.nodeName=n1", false},
      {"spec.nodeName!=", false},
  };
  for (const auto& [text, want] : cases) {
    const Result<FieldSelector> selector = FieldSelector::Parse(text);
    ASSERT_TRUE(selector) << text << ": " << selector.error().message;
    EXPECT_EQ(selector->Matches(fields), want) << text;
    EXPECT_EQ(*FieldSelector::Parse(selector->ToString()), *selector);
  }
  EXPECT_EQ(FieldSelector::Parse("a!=1,spec.nodeName=n")->ExactValue("spec.nodeName"), "n");
  EXPECT_EQ(FieldSelector::Parse("a!=1")->ExactValue("a"), std::nullopt);
}

TEST(FieldSelector, RefusesInKubernetesWords) {
  const std::pair<std::string, std::string> cases[] = {
      {"abc", "invalid selector: 'abc'; can't understand 'abc'"},
      {"a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"},
      {"a=b=c", "invalid field selector: unescaped character in value: 61"},
      {R"(a=\x)", R"(invalid field selector: invalid escape sequence: \x)"},
      {"a=b\\", "invalid field selector: invalid escape sequence: \\"},
  };
  for (const auto& [text, message] : cases) {
    const Result<FieldSelector> selector = FieldSelector::Parse(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().message, message);
  }
}

TEST(NodeSelectorTerm, MatchesLabelsAndTheName) {
  using Op = NodeSelectorRequirement::Operator;
  const auto matches = [](NodeSelectorRequirement requirement) {
    return NodeSelectorTerm{{requirement}, {}}.Matches(kLabels, "node-1");
  };
  EXPECT_TRUE(matches({"app", Op::kIn, {"web", "db"}}));
  EXPECT_FALSE(matches({"app", Op::kIn, {}}));
  EXPECT_TRUE(matches({"missing", Op::kNotIn, {"x"}}));
  EXPECT_FALSE(matches({"app", Op::kNotIn, {"web"}}));
  EXPECT_TRUE(matches({"app", Op::kExists, {}}));
  EXPECT_TRUE(matches({"missing", Op::kDoesNotExist, {}}));
  EXPECT_TRUE(matches({"cores", Op::kGt, {"15"}}));
  EXPECT_FALSE(matches({"cores", Op::kLt, {"16"}}));
  EXPECT_FALSE(matches({"app", Op::kGt, {"1"}}));
  EXPECT_FALSE(matches({"app", Op::kInvalid, {}}));

  const NodeSelectorTerm by_name{{}, {{"metadata.name", Op::kIn, {"node-1"}}}};
  EXPECT_TRUE(by_name.Matches(kLabels, "node-1"));
  EXPECT_FALSE(by_name.Matches(kLabels, "node-2"));
  EXPECT_FALSE(NodeSelectorTerm().Matches(kLabels, "node-1"));  // an empty term matches no node
}

TEST(NodeSelector, NeedsOneTermToMatch) {
  using Op = NodeSelectorRequirement::Operator;
  EXPECT_FALSE(NodeSelector().Matches(kLabels, "n"));
  const NodeSelector selector{
      {{{{"app", Op::kIn, {"db"}}}, {}}, {{{"tier", Op::kExists, {}}}, {}}}};
  EXPECT_TRUE(selector.Matches(kLabels, "n"));
}

}  // namespace
}  // namespace basalt::kube
