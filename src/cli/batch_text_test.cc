#include "cli/batch_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "cli/job_explanation.h"
#include "kube/types/time.h"
#include "webhook/fields.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

const Time kReadAt = *kube::ParseTime("2026-01-02T01:00:00Z");

json::array Items(std::string_view text) { return json::parse(text).as_array(); }

TEST(BatchTextTest, JobsAreATable) {
  const json::array jobs = Items(R"([
    {"metadata":{"name":"a","namespace":"x","creationTimestamp":"2026-01-02T00:00:00Z",
                 "labels":{"volcano.sh/job-type":"Service"}},
     "spec":{"minAvailable":2,"tasks":[{"replicas":2},{"replicas":1}]},
     "status":{"state":{"phase":"Running"},"running":2,"pending":1,"retryCount":1}},
    {"metadata":{"name":"b"}}, 7])");
  EXPECT_EQ(JobsText(jobs, {}),
            "Name   Creation     Phase     JobType   Replicas   Min   Pending   Running   "
            "Succeeded   Failed   Unknown   RetryCount\n"
            "a      2026-01-02   Running   Service   3          2     1         2         0        "
            "   0        0         1\n"
            "b                             Batch     0          0     0         0         0        "
            "   0        0         0\n"
            "                              Batch     0          0     0         0         0        "
            "   0        0         0\n");
  EXPECT_THAT(JobsText(jobs, AskFlags{.all_namespaces = true}), HasSubstr("Namespace   Name"));
  EXPECT_EQ(JobsText({}, {}), "No jobs.\n");
}

TEST(BatchTextTest, AJobShowsAllFieldsConditionsAndEvents) {
  const json::object job = json::parse(R"({
    "metadata":{"name":"a","namespace":"x","creationTimestamp":"2026-01-02T00:00:00Z"},
    "spec":{"queue":"q"},
    "status":{"state":{"phase":"Pending"},"conditions":[{"status":"Pending"}]}})")
                               .as_object();
  const std::string text = JobText(
      job, Items(R"([{"type":"Warning","reason":"PVCError","count":3,"message":"no claim c"}])"),
      kReadAt);
  for (const char* part : {"Name:        a", "Age:         60m", "Phase:       Pending", "queue: q",
                           "conditions:", "PVCError", "no claim c"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(JobText(job, json::array(), kReadAt), HasSubstr("No events."));
}

TEST(BatchTextTest, QueuesFlowsAndPodsAreTables) {
  EXPECT_EQ(QueueTable(Items(R"([{"metadata":{"name":"q"},"spec":{"weight":4,"parent":"root"},
                "status":{"state":"Open","running":2,"inqueue":1}}])"),
                       {}),
            "Name   Weight   State   Parent   Inqueue   Pending   Running   Unknown   Completed\n"
            "q      4        Open    root     1         0         2         0         0\n");
  const json::array flows = Items(R"([{"metadata":{"name":"f","namespace":"x",
      "creationTimestamp":"2026-01-02T00:59:00Z"},"status":{"state":{"phase":"Running"}}}])");
  EXPECT_EQ(FlowsText(flows, "jobflow", kReadAt),
            "Name   Namespace   Phase     Age\nf      x           Running   60s\n");
  EXPECT_EQ(FlowsText(flows, "jobtemplate", kReadAt),
            "Name   Namespace   Phase   Age\nf      x           -       60s\n");
  EXPECT_EQ(FlowsText({}, "jobflow", kReadAt), "No jobflows.\n");
  const json::array pods = Items(R"([
    {"metadata":{"name":"p","creationTimestamp":"2026-01-02T00:59:00Z"},
     "spec":{"containers":[{},{}]},"status":{"phase":"Running","containerStatuses":[
       {"ready":true,"restartCount":2,"state":{"running":{}}},
       {"ready":false,"restartCount":1,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}},
    {"metadata":{"name":"r","deletionTimestamp":"2026-01-02T00:59:00Z"},"status":{"phase":"Running"}},
    {"metadata":{"name":"s"},"status":{"phase":"Succeeded","containerStatuses":[
       {"state":{"terminated":{"reason":"Completed"}}}]}}])");
  EXPECT_EQ(PodsText(pods, {}, kReadAt),
            "Name   Ready   Status             Restart   Age\n"
            "p      1/2     CrashLoopBackOff   3         60s\n"
            "r      0/0     Terminating        0         -\n"
            "s      0/0     Completed          0         -\n");
}

// A job that waits in its queue; each case changes what is known of it.
class JobExplanationTest : public testing::Test {
 protected:
  JobExplanationTest() {
    facts.job = json::parse(R"({"metadata":{"name":"train","namespace":"team"},
      "spec":{"queue":"q","minAvailable":2,"maxRetry":2,
              "tasks":[{"name":"ps","replicas":1,"minAvailable":1},
                       {"name":"worker","replicas":2,"minAvailable":1}]},
      "status":{"state":{"phase":"Pending"}}})")
                    .as_object();
    facts.queue = json::parse(R"({"metadata":{"name":"q"},"status":{"state":"Open"}})").as_object();
    facts.pod_group = json::parse(R"({"status":{"phase":"Inqueue","conditions":[
      {"type":"Unschedulable","status":"True","reason":"NotEnoughResources",
       "message":"2/3 tasks in gang unschedulable"}]}})")
                          .as_object();
  }
  void Set(const char* path, const char* text) {
    json::value whole(facts.job);
    webhook::SetAtPointer(whole, path, json::parse(text));
    facts.job = whole.as_object();
  }
  // "stage reason: message"
  std::string Says() const {
    const json::value said(ExplainJob(facts));
    return fmt::format("{} {}: {}", std::string_view(said.at("stage").as_string()),
                       std::string_view(said.at("reason").as_string()),
                       std::string_view(said.at("message").as_string()));
  }

  JobFacts facts;
};

TEST_F(JobExplanationTest, ThePodGroupsReasonIsTheJobs) {
  EXPECT_EQ(Says(), "gang NotEnoughResources: 2/3 tasks in gang unschedulable");
  facts.scheduler_says = {{"stage", "node"}, {"reason", "R"}, {"message", "M"}, {"change", "C"}};
  EXPECT_EQ(Says(), "node R: M");
  EXPECT_EQ(json::value(ExplainJob(facts)).at("change"), "C");
  facts.scheduler_says.clear();
  facts.pod_group = json::parse(R"({"status":{"phase":"Pending"}})").as_object();
  EXPECT_EQ(Says(), "enqueue NotAdmitted: its PodGroup waits to be let into its queue");
  facts.pod_group.clear();
  EXPECT_THAT(Says(), HasSubstr("NoPodGroup"));
}

TEST_F(JobExplanationTest, AClosedOrMissingQueueIsNamed) {
  facts.queue = json::parse(R"({"status":{"state":"Closed"}})").as_object();
  EXPECT_EQ(Says(), "queue QueueClosed: queue \"q\" is Closed and admits nothing");
  facts.queue = json::object();
  EXPECT_EQ(Says(), "queue QueueMissing: there is no queue \"q\"");
}

TEST_F(JobExplanationTest, AQueueThatMayNotBeReadIsNotCalledMissing) {
  facts.queue.reset();
  EXPECT_EQ(Says(), "gang NotEnoughResources: 2/3 tasks in gang unschedulable");
}

TEST_F(JobExplanationTest, AJobWithoutAQueueIsInTheDefaultOne) {
  Set("/spec/queue", R"("")");
  facts.queue = json::object();
  EXPECT_EQ(Says(), "queue QueueMissing: there is no queue \"default\"");
  EXPECT_EQ(json::value(ExplainJob(facts)).at("change"),
            "create it: basalt queue create --name default");
}

TEST_F(JobExplanationTest, AMissingClaimIsNamed) {
  Set("/spec/volumes", R"([{"mountPath":"/data","volumeClaimName":"disk"}])");
  EXPECT_THAT(Says(), HasSubstr("NotEnoughResources")) << "claims may not be read";
  facts.claims.emplace();
  EXPECT_EQ(Says(),
            "volumes ClaimMissing: there is no PersistentVolumeClaim \"disk\", which it mounts at "
            "/data");
  facts.claims->insert("disk");
  EXPECT_THAT(Says(), HasSubstr("NotEnoughResources"));
}

TEST_F(JobExplanationTest, AnUnmetDependencyIsNamed) {
  Set("/spec/tasks/1/dependsOn", R"({"name":["ps"]})");
  EXPECT_EQ(Says(), "dependency DependencyUnmet: task worker waits for ps (0 of 1 ready)");
  facts.pods = Items(R"([{"metadata":{"labels":{"volcano.sh/task-spec":"ps"}},
      "status":{"phase":"Running","containerStatuses":[{"ready":false}]}}])");
  EXPECT_THAT(Says(), HasSubstr("DependencyUnmet"));
  facts.pods = Items(R"([{"metadata":{"labels":{"volcano.sh/task-spec":"ps"}},
      "status":{"phase":"Running","containerStatuses":[{"ready":true}]}}])");
  EXPECT_THAT(Says(), HasSubstr("NotEnoughResources"));
}

TEST_F(JobExplanationTest, EveryOtherPhaseSaysWhatItIs) {
  struct Case {
    const char* status;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {R"({})", "controller NotSeen: no controller has taken it up yet"},
           {R"({"state":{"phase":"Running"},"running":3})",
            "running Running: it runs: 3 of 3 pods do, 2 are the least"},
           {R"({"state":{"phase":"Completed"},"succeeded":3})",
            "ended Completed: it has completed: 3 pods succeeded"},
           {R"({"state":{"phase":"Failed","reason":"PodFailed"},"retryCount":2})",
            "ended RetriesUsedUp: its retries are used up: it was started 2 times, and maxRetry is "
            "2; PodFailed"},
           {R"({"state":{"phase":"Failed"},"failed":1})",
            "ended Failed: it has ended: 0 pods succeeded, 1 failed"},
           {R"({"state":{"phase":"Terminated"}})", "ended Terminated: it has ended"},
           {R"({"state":{"phase":"Aborted"}})", "aborted Aborted: somebody or a policy"},
           {R"({"state":{"phase":"Restarting"},"terminating":2})",
            "restarting Restarting: its pods leave: 2 are still terminating"},
       }) {
    Set("/status", c.status);
    EXPECT_THAT(Says(), testing::StartsWith(c.want));
  }
}

}  // namespace
}  // namespace basalt::cli
