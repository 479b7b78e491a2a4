#include "kube/types/shared_list.h"

#include <gtest/gtest.h>

#include <string>

#include "kube/types/boxed.h"
#include "kube/types/codec.h"
#include "kube/types/pod.h"

namespace basalt::kube {
namespace {

TEST(SharedList, CopiesShareUntilOneChanges) {
  SharedList<std::string> one = {"a", "b"};
  SharedList<std::string> two = one;
  EXPECT_EQ(&one.items(), &two.items());
  two.push_back("c");
  two[0] = "x";
  EXPECT_EQ(one, (SharedList<std::string>{"a", "b"}));
  EXPECT_EQ(two, (SharedList<std::string>{"x", "b", "c"}));
  two.clear();
  EXPECT_TRUE(two.empty());
  EXPECT_EQ(two.begin(), two.end());
}

TEST(Boxed, CopiesShareUntilOneChanges) {
  Boxed<std::string> one = std::string("a");
  Boxed<std::string> two = one;
  *two += "b";
  EXPECT_EQ(*one, "a");
  EXPECT_EQ(*two, "ab");
  EXPECT_NE(one, two);
  two.reset();
  EXPECT_FALSE(two);
  EXPECT_NE(one, two);
}

TEST(Decode, PodsOfOneTemplateShareIt) {
  const auto pod = [](std::string name, std::string image) {
    return *Decode<Pod>(R"({"metadata":{"name":")" + name + R"("},"spec":{"containers":[{"name":"c",
        "image":")" + image +
                        R"(","volumeMounts":[{"name":"token-)" + name + R"("}]}],
        "tolerations":[{"key":"k"}],"affinity":{"podAffinity":{
        "requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"z"}]}}}})");
  };
  const Pod a = pod("a", "one");
  const Pod b = pod("b", "one");
  const Pod other = pod("c", "two");
  EXPECT_EQ(&a.spec.containers.items(), &b.spec.containers.items());
  EXPECT_EQ(&a.spec.tolerations.items(), &other.spec.tolerations.items());
  EXPECT_EQ(&*a.spec.affinity, &*b.spec.affinity);
  EXPECT_EQ(other.spec.containers[0].image, "two");
  EXPECT_EQ(b.spec.containers[0].image, "one");
}

}  // namespace
}  // namespace basalt::kube
