#include "cli/manifests.h"

#include <gtest/gtest.h>

namespace basalt::cli {
namespace {

TEST(ManifestsTest, ReadsObjectsAndTakesListsApart) {
  const auto got = ParseManifests(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
      "---\n"
      "apiVersion: v1\nkind: List\nitems:\n"
      "- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}}\n"
      "- {apiVersion: v1, kind: Pod, metadata: {generateName: q-}}\n",
      "x.yaml");
  ASSERT_TRUE(got) << got.error().message;
  ASSERT_EQ(got->size(), 3u);
  EXPECT_EQ((*got)[0].kind, "Namespace");
  EXPECT_EQ((*got)[1].ns, "a");
  EXPECT_EQ((*got)[1].name, "p");
  EXPECT_EQ((*got)[2].origin, "x.yaml, document 2, line 5, item 2");
}

TEST(ManifestsTest, NamesDocumentAndLineOfWhatIsNoObject) {
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"kind: Pod", "f, document 1, line 1: apiVersion is missing or not a string"},
           {"apiVersion: 1\nkind: Pod",
            "f, document 1, line 1: apiVersion is missing or not a string"},
           {"\n---\napiVersion: v1\nmetadata: {}",
            "f, document 1, line 3: kind is missing or not a string"},
           {"a: 1\n---\n- 1", "f, document 1, line 1: apiVersion is missing or not a string"},
           {"apiVersion: v1\nkind: Pod", "f, document 1, line 1: metadata is missing"},
           {"apiVersion: v1\nkind: Pod\nmetadata: {name: 1}",
            "f, document 1, line 1: metadata.name is missing or not a string"},
           {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\nx: [",
            "f, document 2, line 5: end of sequence flow not found"},
           {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\nx: 1\nx: 2",
            "f, document 2, line 6: key \"x\" is given twice"},
       }) {
    const auto got = ParseManifests(c.text, "f");
    ASSERT_FALSE(got) << c.text;
    EXPECT_EQ(got.error().message, c.want);
  }
}

}  // namespace
}  // namespace basalt::cli
