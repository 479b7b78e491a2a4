#include "cli/kind_words.h"

#include <gtest/gtest.h>

namespace basalt::cli {
namespace {

TEST(KindWordsTest, KindsAreKnownByTheWordsOfKubectl) {
  struct Row {
    const char* typed;
    const char* kind;  // "": it is none
  };
  for (const Row& row : {Row{"pod", "Pod"},
                         {"pods", "Pod"},
                         {"po", "Pod"},
                         {"Pod", "Pod"},
                         {"PODS", "Pod"},
                         {"podgroup", "PodGroup"},
                         {"pg", "PodGroup"},
                         {"PodGroups", "PodGroup"},
                         {"job", "Job"},
                         {"jobs", "Job"},
                         {"vcjob", "Job"},
                         {"vcjobs", "Job"},
                         {"vj", "Job"},
                         {"queue", "Queue"},
                         {"q", "Queue"},
                         {"queues", "Queue"},
                         {"reservation", "Reservation"},
                         {"rsv", "Reservation"},
                         {"deploy", "Deployment"},
                         {"deployments", "Deployment"},
                         {"rs", "ReplicaSet"},
                         {"sts", "StatefulSet"},
                         {"statefulsets", "StatefulSet"},
                         {"ds", "DaemonSet"},
                         {"DaemonSet", "DaemonSet"},
                         {"service", ""},
                         {"", ""},
                         {"s", ""},
                         {"podss", ""},
                         {"po ", ""}}) {
    const KindWord* found = FindKind(row.typed);
    EXPECT_EQ(found ? found->resource->kind : "", row.kind) << row.typed;
  }
}

TEST(KindWordsTest, TheJobsThatAreMeantAreThoseOfVolcano) {
  EXPECT_EQ(FindKind("job")->resource->group, "batch.volcano.sh");
  EXPECT_EQ(FindKind("vcjob")->resource, FindKind("job")->resource);
}

TEST(KindWordsTest, WorkloadsHaveTheirPodsByASelector) {
  for (const char* word : {"deploy", "rs", "sts", "ds"}) EXPECT_TRUE(FindKind(word)->workload);
  for (const char* word : {"pod", "pg", "job", "queue", "rsv"}) {
    EXPECT_FALSE(FindKind(word)->workload) << word;
  }
}

TEST(KindWordsTest, RoomIsReservedForPodsAndForWhatHasOneTemplateOfThem) {
  struct Row {
    const char* typed;
    const char* path;  // "": no room is reserved for it
  };
  for (const Row& row : {Row{"pod", "/api/v1/namespaces/n/pods"},
                         {"po", "/api/v1/namespaces/n/pods"},
                         {"Deployment", "/apis/apps/v1/namespaces/n/deployments"},
                         {"rs", "/apis/apps/v1/namespaces/n/replicasets"},
                         {"sts", "/apis/apps/v1/namespaces/n/statefulsets"},
                         {"job", "/apis/batch/v1/namespaces/n/jobs"},
                         {"jobs", "/apis/batch/v1/namespaces/n/jobs"},
                         {"vcjob", ""},
                         {"ds", ""},
                         {"queue", ""},
                         {"podgroup", ""},
                         {"service", ""},
                         {"", ""}}) {
    const kube::Resource* found = ReservableKind(row.typed);
    EXPECT_EQ(found ? found->Path("n") : "", row.path) << row.typed;
  }
}

}  // namespace
}  // namespace basalt::cli
