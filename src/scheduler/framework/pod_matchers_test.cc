#include "scheduler/framework/pod_matchers.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

kube::Pod PodIn(std::string_view ns, std::string_view app) {
  kube::Pod pod = testutil::MakePod("p", "", {{"cpu", "1m"}});
  pod.meta.ns = std::string(ns);
  if (!app.empty()) pod.meta.labels.Set("app", app);
  return pod;
}

kube::PodAffinityTerm TermOn(std::string_view selector) {
  kube::PodAffinityTerm term;
  term.label_selector = kube::LabelSelector::Parse(selector).value();
  return term;
}

struct MatcherRow {
  const char* name;
  kube::PodAffinityTerm term;
  bool web_here, web_there, db_here;  // pods of two namespaces
};

class PodMatcherTest : public testing::TestWithParam<MatcherRow> {};

model::Objects TwoNamespaces() {
  model::Objects objects;
  for (const char* name : {"here", "there"}) {
    kube::Namespace ns;
    ns.meta.name = name;
    ns.meta.labels.Set("team", name);
    objects.namespaces.Set(std::make_shared<const kube::Namespace>(ns));
  }
  return objects;
}

TEST_P(PodMatcherTest, MatchesByNamespaceAndLabels) {
  const MatcherRow& row = GetParam();
  const model::Objects objects = TwoNamespaces();
  const PodMatcher matcher = PodMatcher::Of(row.term, PodIn("here", ""), objects);
  EXPECT_EQ(matcher.Matches(PodIn("here", "web")), row.web_here);
  EXPECT_EQ(matcher.Matches(PodIn("there", "web")), row.web_there);
  EXPECT_EQ(matcher.Matches(PodIn("here", "db")), row.db_here);
}

kube::PodAffinityTerm InNamespaces(std::vector<std::string> names,
                                   std::optional<std::string_view> selector = {}) {
  kube::PodAffinityTerm term = TermOn("app=web");
  term.namespaces = std::move(names);
  if (selector) term.namespace_selector = kube::LabelSelector::Parse(*selector).value();
  return term;
}

INSTANTIATE_TEST_SUITE_P(
    Terms, PodMatcherTest,
    testing::Values(
        MatcherRow{"TheOwnNamespaceWhereNoneIsNamed", TermOn("app=web"), true, false, false},
        MatcherRow{"NamedNamespaces", InNamespaces({"there"}), false, true, false},
        MatcherRow{"SelectedNamespaces", InNamespaces({}, "team=there"), false, true, false},
        MatcherRow{"NamedAndSelectedOnes", InNamespaces({"here"}, "team=there"), true, true, false},
        MatcherRow{"AllNamespaces", InNamespaces({}, ""), true, true, false},
        MatcherRow{"NoSelectorMatchesNothing", kube::PodAffinityTerm{}, false, false, false},
        MatcherRow{"AnEmptySelectorMatchesEverything", TermOn(""), true, false, true},
        MatcherRow{"OneOfSeveralValues", TermOn("app in (web, db)"), true, false, true},
        MatcherRow{"AnyValue", TermOn("app"), true, false, true},
        MatcherRow{"NoSuchLabel", TermOn("!app"), false, false, false},
        MatcherRow{"AnotherValue", TermOn("app!=db"), true, false, false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(PodMatchersTest, OnesThatSayTheSameHaveOneNumberAndOthersHaveOthers) {
  const model::Objects objects = TwoNamespaces();
  const std::vector<kube::PodAffinityTerm> terms = {
      TermOn("app=web"), TermOn("app=db"), TermOn("app!=web"), TermOn("app in (web, db)"),
      TermOn("app"), TermOn("!app"), TermOn("app notin (web)"), TermOn("size>1"), TermOn(""),
      kube::PodAffinityTerm{}, InNamespaces({"there"}), InNamespaces({}, ""),
      InNamespaces({}, "team=nobody"),
      // These differ in where a text ends.
      TermOn("app in (web),z"), TermOn("app in (webe, z)"),
      TermOn("app in (1a, bbbbbbbbbbbbbbbbbb)"), TermOn("app in (a18bbbbbbbbbbbbbbbbbb)")};
  PodMatchers matchers;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(matchers.Intern(PodMatcher::Of(terms[i], PodIn("here", ""), objects)), i);
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(matchers.Intern(PodMatcher::Of(terms[i], PodIn("here", "db"), objects)), i)
        << "of another pod of the namespace the same";
  }
  // Those that match are found without asking the others.
  for (const char* ns : {"here", "there"}) {
    for (const char* app : {"web", "db", "", "none"}) {
      kube::Pod pod = PodIn(ns, app);
      for (const char* size : {"", "1", "2"}) {
        if (*size) pod.meta.labels.Set("size", size);
        for (const PodMatchers::Number from : {0u, 3u, 12u}) {
          std::vector<PodMatchers::Number> want, got;
          for (PodMatchers::Number n = from; n < matchers.size(); ++n) {
            if (matchers[n].Matches(pod)) want.push_back(n);
          }
          matchers.FindMatching(pod, from, &got);
          EXPECT_EQ(got, want) << ns << " " << app << " " << size << " from " << from;
        }
      }
    }
  }
  EXPECT_EQ(matchers.ValuesNeeded(0)->key, "app");
  EXPECT_EQ(matchers.ValuesNeeded(3)->values.size(), 2u);
  EXPECT_EQ(matchers.ValuesNeeded(2), nullptr);
  EXPECT_EQ(matchers.ValuesNeeded(9), nullptr);
}

TEST(PodMatchersTest, ALabelIsNotMistakenForAnotherThatReadsTheSameWithItsValue) {
  PodMatchers matchers;
  kube::Pod pod = PodIn("here", "");
  pod.meta.labels.Set("a", "bx");
  pod.meta.labels.Set("ab", "x");
  matchers.Intern(PodMatcher::Of(TermOn("a=bx"), pod, model::Objects()));
  std::vector<PodMatchers::Number> found;
  matchers.FindMatching(pod, 0, &found);
  EXPECT_EQ(found, std::vector<PodMatchers::Number>{0}) << "once";
}

TEST(PodMatchersTest, AllOfMatchesWhatEachMatches) {
  const model::Objects objects;
  const kube::Pod owner = PodIn("here", "");
  std::vector<PodMatcher> both;
  both.push_back(PodMatcher::Of(TermOn("app=web"), owner, objects));
  both.push_back(PodMatcher::Of(TermOn("size"), owner, objects));
  const PodMatcher matcher = PodMatcher::AllOf(std::move(both));
  kube::Pod pod = PodIn("here", "web");
  EXPECT_FALSE(matcher.Matches(pod));
  pod.meta.labels.Set("size", "1");
  EXPECT_TRUE(matcher.Matches(pod));
}

TEST(PodMatchersTest, ASpreadConstraintCountsPodsOfTheOwnersNamespaceAndOfItsOwnLabelValues) {
  kube::TopologySpreadConstraint constraint;
  const kube::Pod owner = PodIn("here", "web");
  EXPECT_FALSE(PodMatcher::Of(constraint, owner).Matches(owner)) << "no selector";
  constraint.label_selector = kube::LabelSelector();
  EXPECT_FALSE(PodMatcher::Of(constraint, owner).Matches(owner)) << "one that says nothing";
  constraint.match_label_keys = {"app", "missing"};
  const PodMatcher matcher = PodMatcher::Of(constraint, owner);
  EXPECT_TRUE(matcher.Matches(PodIn("here", "web")));
  EXPECT_FALSE(matcher.Matches(PodIn("here", "db")));
  EXPECT_FALSE(matcher.Matches(PodIn("there", "web")));
}

TEST(PodMatchersTest, AllNamespacesAreTheSameWhicheverAreNamedBeside) {
  const model::Objects objects = TwoNamespaces();
  PodMatchers matchers;
  const kube::Pod owner = PodIn("here", "");
  const auto number = matchers.Intern(PodMatcher::Of(InNamespaces({}, ""), owner, objects));
  EXPECT_EQ(matchers.Intern(PodMatcher::Of(InNamespaces({"there"}, ""), owner, objects)), number);
}

}  // namespace
}  // namespace basalt::scheduler
