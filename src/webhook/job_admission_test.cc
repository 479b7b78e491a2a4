#include "webhook/job_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "webhook/cycle_check.h"
#include "webhook/fields.h"
#include "webhook/flow_admission.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A value at a place, both as text: "/spec/tasks/0/replicas" and "-1". An empty value takes away.
struct Put {
  const char* path;
  const char* value;
};

json::object With(std::string_view text, const std::vector<Put>& puts) {
  json::value whole = json::parse(text);
  for (const Put& put : puts) {
    if (*put.value == '\0') {
      const std::string path(put.path);
      const std::size_t slash = path.rfind('/');
      boost::system::error_code error;
      json::value* parent = whole.find_pointer(path.substr(0, slash), error);
      if (parent != nullptr && parent->is_object()) {
        parent->get_object().erase(path.substr(slash + 1));
      }
    } else {
      EXPECT_TRUE(SetAtPointer(whole, put.path, json::parse(put.value))) << put.path;
    }
  }
  return whole.as_object();
}

constexpr std::string_view kJob = R"({
  "metadata": {"name": "train", "namespace": "default"},
  "spec": {
    "queue": "open", "schedulerName": "volcano", "minAvailable": 3, "maxRetry": 3,
    "policies": [{"event": "PodEvicted", "action": "RestartJob"}],
    "plugins": {"svc": [], "env": []},
    "volumes": [{"mountPath": "/data", "volumeClaimName": "data"}],
    "tasks": [
      {"name": "ps", "replicas": 1, "minAvailable": 1, "maxRetry": 3, "template": {"spec": {
        "containers": [{"name": "c", "image": "i"}], "restartPolicy": "OnFailure"}}},
      {"name": "worker", "replicas": 2, "minAvailable": 2, "maxRetry": 3,
       "dependsOn": {"name": ["ps"]}, "template": {"spec": {
        "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "500m"}}}]}}}
    ]}})";

class JobAdmissionTest : public testing::Test {
 protected:
  JobAdmissionTest() {
    PutQueue("root", "", kube::QueueState::kOpen);
    PutQueue("open", "", kube::QueueState::kOpen);
    PutQueue("new", "", kube::QueueState::kNone);
    PutQueue("closed", "", kube::QueueState::kClosed);
    PutQueue("closing", "", kube::QueueState::kClosing);
    PutQueue("parent", "", kube::QueueState::kOpen);
    PutQueue("child", "parent", kube::QueueState::kOpen);
    kube::Namespace ns;
    ns.meta.name = "default";
    snapshot.PutNamespace(ns);
  }
  void PutQueue(const char* name, const char* parent, kube::QueueState state) {
    kube::Queue queue;
    queue.meta.name = name;
    queue.parent = parent;
    queue.state = state;
    snapshot.PutQueue(std::make_shared<const kube::Queue>(queue));
  }
  std::vector<std::string> Create(const std::vector<Put>& puts) {
    return ValidateJob(With(kJob, puts), nullptr, snapshot).problems;
  }
  std::vector<std::string> Update(const std::vector<Put>& old, const std::vector<Put>& now) {
    const json::object before = With(kJob, old);
    std::vector<Put> all = old;
    all.insert(all.end(), now.begin(), now.end());
    return ValidateJob(With(kJob, all), &before, snapshot).problems;
  }

  Snapshot snapshot;
  Policy policy;
};

TEST_F(JobAdmissionTest, RefusesEachRowOfTheContractByFieldAndValue) {
  struct Case {
    std::vector<Put> puts;
    const char* want;  // "": good
  };
  const std::string long_name = "\"" + std::string(64, 'a') + "\"";
  const std::string rather_long = "\"" + std::string(56, 'a') + "\"";
  for (
      const Case& c : std::initializer_list<Case>{
          {{}, ""},
          // Tasks.
          {{{"/spec/tasks", "[]"}}, "spec.tasks: at least one is needed"},
          {{{"/spec/tasks/1/name", R"("ps")"}},
           "spec.tasks[1].name: \"ps\": another task has this name"},
          {{{"/spec/tasks/0/name", R"("Ps")"}}, "spec.tasks[0].name: \"Ps\": "},
          {{{"/spec/tasks/0/replicas", "-1"}}, "spec.tasks[0].replicas: -1: must not be negative"},
          {{{"/spec/tasks/0/minAvailable", "-1"}},
           "spec.tasks[0].minAvailable: -1: must not be negative"},
          {{{"/spec/tasks/0/minAvailable", "2"}},
           "spec.tasks[0].minAvailable: 2: must not exceed its replicas, which are 1"},
          {{{"/spec/minAvailable", "4"}},
           "spec.minAvailable: 4: must not exceed the 3 replicas of all tasks"},
          {{{"/spec/minAvailable", "-1"}}, "spec.minAvailable: -1: must not be negative"},
          {{{"/metadata/name", long_name.c_str()}}, "metadata.name: "},
          {{{"/metadata/name", rather_long.c_str()}},
           "spec.tasks[1].name: its pods' names, such as \"aaaa"},
          // Templates.
          {{{"/spec/tasks/0/template/spec/containers", "[]"}},
           "spec.tasks[0].template.spec.containers: at least one is needed"},
          {{{"/spec/tasks/0/template/spec/containers/0/image", R"("")"}},
           "spec.tasks[0].template.spec.containers[0].image: missing"},
          {{{"/spec/tasks/0/template/spec/containers/0/name", R"("C_")"}},
           "spec.tasks[0].template.spec.containers[0].name: \"C_\": "},
          {{{"/spec/tasks/0/template/spec/containers/-", R"({"name":"c","image":"i"})"}},
           "containers[1].name: \"c\": another container has this name"},
          {{{"/spec/tasks/0/template/spec/restartPolicy", R"("Sometimes")"}},
           "spec.tasks[0].template.spec.restartPolicy: \"Sometimes\": want Always, OnFailure, "
           "Never"},
          {{{"/spec/tasks/0/template/spec/containers/0/resources",
             R"({"requests":{"cpu":"2"},"limits":{"cpu":"1"}})"}},
           "containers[0].resources.requests[cpu]: 2: must not exceed the limit of 1"},
          {{{"/spec/tasks/0/template/spec/containers/0/resources",
             R"({"requests":{"memory":"much"}})"}},
           "containers[0].resources.requests[memory]: \"much\": is no quantity"},
          {{{"/spec/tasks/0/template/spec/containers/0/resources", R"({"limits":{"cpu":-1}})"}},
           "containers[0].resources.limits[cpu]: -1: must not be negative"},
          {{{"/spec/tasks/0/template/spec/containers/0/ports", R"([{"containerPort":70000}])"}},
           "containers[0].ports[0].containerPort: 70000: want a number from 1 to 65535"},
          {{{"/spec/tasks/0/template/spec/containers/0/volumeMounts",
             R"([{"name":"v","mountPath":"/v"}])"}},
           "volumeMounts[0].name: \"v\": the pod has no volume of that name"},
          {{{"/spec/tasks/0/template/spec/containers/0/env", R"([{"name":"A=B","value":"c"}])"}},
           "env[0].name: \"A=B\": must not contain '='"},
          {{{"/spec/tasks/0/template/metadata", R"({"labels":{"a b":"c"}})"}},
           "spec.tasks[0].template.metadata.labels: \"a b\": "},
          {{{"/spec/tasks/0/template/spec/nodeSelector", R"({"a":"b c"})"}},
           "spec.nodeSelector[a]: \"b c\": "},
          {{{"/spec/tasks/0/template/spec/tolerations", R"([{"value":"x"}])"}},
           "tolerations[0].operator: must be Exists where key is empty"},
          {{{"/spec/tasks/0/template/spec/activeDeadlineSeconds", "0"}},
           "spec.activeDeadlineSeconds: 0: must be positive"},
          {{{"/spec/tasks/0/template/spec/containers/0/securityContext", R"({"privileged":true})"}},
           ""},
          {{{"/spec/tasks/1/topologyPolicy", R"("restricted")"}},
           "spec.tasks[1].template.spec.containers[0].resources.requests.cpu: \"500m\": "
           "topologyPolicy restricted needs a whole number of CPUs"},
          {{{"/spec/tasks/0/topologyPolicy", R"("best-effort")"}},
           "resources.limits.cpu: nothing: topologyPolicy best-effort needs"},
          {{{"/spec/tasks/1/topologyPolicy", R"("none")"}}, ""},
          {{{"/spec/tasks/1/topologyPolicy", R"("single-numa-node")"},
            {"/spec/tasks/1/template/spec/containers/0/resources",
             R"({"limits":{"cpu":"2000m"}})"}},
           ""},
          {{{"/spec/tasks/1/topologyPolicy", R"("tight")"}},
           "spec.tasks[1].topologyPolicy: \"tight\": want none, best-effort"},
          // Policies.
          {{{"/spec/policies", R"([{"event":"PodFailed","exitCode":3,"action":"AbortJob"}])"}},
           "spec.policies[0]: event and exitCode exclude each other"},
          {{{"/spec/policies", R"([{"action":"AbortJob"}])"}},
           "spec.policies[0]: want event, events or exitCode"},
          {{{"/spec/policies", R"([{"exitCode":0,"action":"AbortJob"}])"}},
           "spec.policies[0].exitCode: 0: is no failure"},
          {{{"/spec/policies",
             R"([{"event":"PodFailed","action":"AbortJob"},{"events":["PodFailed"],"action":"RestartJob"}])"}},
           "spec.policies[1].event: \"PodFailed\": another policy of the list is for it"},
          {{{"/spec/tasks/0/policies",
             R"([{"exitCode":3,"action":"AbortJob"},{"exitCode":3,"action":"RestartJob"}])"}},
           "spec.tasks[0].policies[1].exitCode: 3: another policy of the list is for it"},
          {{{"/spec/policies",
             R"([{"event":"*","action":"AbortJob"},{"event":"PodFailed","action":"AbortJob"}])"}},
           "spec.policies: \"*\" stands for every event"},
          {{{"/spec/policies", R"([{"event":"*","action":"AbortJob"}])"}}, ""},
          {{{"/spec/policies", R"([{"event":"OutOfSync","action":"AbortJob"}])"}},
           "spec.policies[0].event: \"OutOfSync\": want *, PodFailed"},
          {{{"/spec/policies", R"([{"event":"CommandIssued","action":"AbortJob"}])"}},
           "spec.policies[0].event: \"CommandIssued\""},
          {{{"/spec/policies", R"([{"event":"PodRunning","action":"AbortJob"}])"}},
           "spec.policies[0].event: \"PodRunning\""},
          {{{"/spec/policies", R"([{"event":"PodFailed","action":"SyncJob"}])"}},
           "spec.policies[0].action: \"SyncJob\": want AbortJob"},
          {{{"/spec/policies", R"([{"event":"PodFailed","action":"EnqueueJob"}])"}},
           "spec.policies[0].action: \"EnqueueJob\""},
          {{{"/spec/policies",
             R"([{"event":"PodPending","action":"RestartPod","timeout":"soon"}])"}},
           "spec.policies[0].timeout: \"soon\""},
          {{{"/spec/policies",
             R"([{"events":["PodFailed","PodEvicted"],"action":"RestartPod","timeout":"10m"},{"exitCode":3,"action":"TerminateJob"},{"event":"TaskCompleted","action":"CompleteJob"}])"}},
           ""},
          // Volumes.
          {{{"/spec/volumes", R"([{"volumeClaimName":"a"}])"}},
           "spec.volumes[0].mountPath: missing"},
          {{{"/spec/volumes", R"([{"mountPath":"/a:b","volumeClaimName":"a"}])"}},
           "spec.volumes[0].mountPath: \"/a:b\": must not contain ':'"},
          {{{"/spec/volumes",
             R"([{"mountPath":"/a","volumeClaimName":"a"},{"mountPath":"/a","volumeClaimName":"b"}])"}},
           "spec.volumes[1].mountPath: \"/a\": another volume has this path"},
          {{{"/spec/volumes", R"([{"mountPath":"/a"}])"}},
           "spec.volumes[0]: want volumeClaimName or volumeClaim"},
          {{{"/spec/volumes",
             R"([{"mountPath":"/a","volumeClaimName":"a","volumeClaim":{"accessModes":["ReadWriteOnce"]}}])"}},
           "spec.volumes[0].volumeClaimName: \"a\": and volumeClaim exclude each other"},
          {{{"/spec/volumes", R"([{"mountPath":"/a","volumeClaimName":"A"}])"}},
           "spec.volumes[0].volumeClaimName: \"A\": "},
          // Queue.
          {{{"/spec/queue", R"("nowhere")"}}, "spec.queue: there is no queue \"nowhere\""},
          {{{"/spec/queue", R"("closed")"}}, "spec.queue: queue \"closed\" is Closed"},
          {{{"/spec/queue", R"("closing")"}}, "spec.queue: queue \"closing\" is Closing"},
          {{{"/spec/queue", R"("new")"}}, ""},
          {{{"/spec/queue", R"("root")"}}, "spec.queue: \"root\" takes no jobs"},
          {{{"/spec/queue", R"("parent")"}},
           "spec.queue: \"parent\" has queues below it (such as \"child\")"},
          {{{"/spec/queue", R"("child")"}}, ""},
          // Plugins.
          {{{"/spec/plugins", R"({"magic":[]})"}},
           "spec.plugins: \"magic\": there is no such plugin"},
          {{{"/spec/plugins", R"({"mpi":[]})"}},
           "spec.plugins.mpi: there is no task \"master\" to be its master"},
          {{{"/spec/plugins", R"({"mpi":["--master=ps","--worker=worker"]})"}}, ""},
          {{{"/spec/plugins", R"({"mpi":["-master","ps"]})"}}, ""},
          // Dependencies.
          {{{"/spec/tasks/1/dependsOn", R"({"name":["nobody"]})"}},
           "spec.tasks[1].dependsOn.name: \"nobody\": there is no such task"},
          {{{"/spec/tasks/0/dependsOn", R"({"name":["worker"]})"}},
           "spec.tasks: dependsOn goes in a circle: ps, worker, ps"},
          {{{"/spec/tasks/0/dependsOn", R"({"name":["ps"]})"}},
           "spec.tasks: dependsOn goes in a circle: ps, ps"},
          {{{"/spec/tasks/1/dependsOn/iteration", R"("some")"}},
           "spec.tasks[1].dependsOn.iteration: \"some\": want any or all"},
          // Partitions.
          {{{"/spec/tasks/1/partitionPolicy", R"({"totalPartitions":0,"partitionSize":2})"}},
           "spec.tasks[1].partitionPolicy.totalPartitions: 0: must be at least 1"},
          {{{"/spec/tasks/1/partitionPolicy", R"({"totalPartitions":3,"partitionSize":2})"}},
           "spec.tasks[1].replicas: 2: must be totalPartitions × partitionSize, which is 6"},
          {{{"/spec/tasks/1/partitionPolicy",
             R"({"totalPartitions":2,"partitionSize":1,"minPartitions":1})"}},
           "spec.tasks[1].minAvailable: 2: must be minPartitions × partitionSize, which is 1"},
          {{{"/spec/tasks/1/partitionPolicy",
             R"({"totalPartitions":2,"partitionSize":1,"minPartitions":2})"}},
           ""},
          {{{"/spec/tasks/1/partitionPolicy",
             R"({"totalPartitions":2,"partitionSize":1,"networkTopology":{"highestTierAllowed":1,"highestTierName":"x"}})"}},
           "spec.tasks[1].partitionPolicy.networkTopology: highestTierAllowed and "
           "highestTierName exclude each other"},
          // Topology and numbers.
          {{{"/spec/networkTopology", R"({"highestTierAllowed":1,"highestTierName":"x"})"}},
           "spec.networkTopology: highestTierAllowed and highestTierName exclude each other"},
          {{{"/spec/networkTopology", R"({"mode":"firm"})"}},
           "spec.networkTopology.mode: \"firm\": want hard or soft"},
          {{{"/spec/networkTopology", R"({"mode":"soft","highestTierAllowed":1})"}}, ""},
          {{{"/spec/maxRetry", "-1"}}, "spec.maxRetry: -1: must not be negative"},
          {{{"/spec/tasks/0/maxRetry", "-1"}}, "spec.tasks[0].maxRetry: -1: must not be negative"},
          {{{"/spec/ttlSecondsAfterFinished", "-1"}},
           "spec.ttlSecondsAfterFinished: -1: must not be negative"},
          {{{"/spec/minSuccess", "0"}}, "spec.minSuccess: 0: must be at least 1"},
          {{{"/spec/minSuccess", "1"}}, ""},
          // What is filled in need not be there.
          {{{"/spec/minAvailable", ""},
            {"/spec/tasks/0/name", ""},
            {"/spec/queue", ""},
            {"/spec/tasks/1/minAvailable", ""},
            {"/spec/tasks/1/dependsOn", ""}},
           ""},
      }) {
    const auto problems = Create(c.puts);
    const std::string what = c.puts.empty() ? "" : std::string(c.puts[0].path) + c.puts[0].value;
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << what;
    } else {
      // Others may follow from it: a task that is not there is missed by those that name it.
      EXPECT_THAT(problems, Contains(HasSubstr(c.want))) << what;
    }
  }
}

TEST_F(JobAdmissionTest, OnlyNumbersOfPodsAndThePriorityClassMayChange) {
  struct Case {
    std::vector<Put> old;
    std::vector<Put> now;
    const char* want;  // "": good
  };
  for (
      const Case& c : std::initializer_list<Case>{
          {{}, {}, ""},
          {{}, {{"/metadata/labels", R"({"a":"b"})"}}, ""},
          {{}, {{"/spec/minAvailable", "2"}, {"/spec/priorityClassName", R"("high")"}}, ""},
          {{}, {{"/spec/tasks/1/replicas", "5"}, {"/spec/tasks/1/minAvailable", "3"}}, ""},
          {{}, {{"/spec/tasks/1/replicas", "1"}}, "spec.tasks[1].minAvailable: 2: must not exceed"},
          {{},
           {{"/spec/tasks/1/replicas", "0"},
            {"/spec/tasks/1/minAvailable", "0"},
            {"/spec/minAvailable", "1"}},
           ""},
          {{}, {{"/spec/queue", R"("new")"}}, "spec.queue: cannot be changed"},
          {{}, {{"/spec/schedulerName", R"("other")"}}, "spec.schedulerName: cannot be changed"},
          {{}, {{"/spec/policies", "[]"}}, "spec.policies: cannot be changed"},
          {{},
           {{"/spec/ttlSecondsAfterFinished", "5"}},
           "spec.ttlSecondsAfterFinished: cannot be changed"},
          {{},
           {{"/spec/tasks/0/template/spec/containers/0/image", R"("j")"}},
           "spec.tasks[0].template: cannot be changed; only minAvailable, priorityClassName, "
           "tasks[].replicas and tasks[].minAvailable can"},
          {{},
           {{"/spec/tasks/-",
             R"({"name":"x","replicas":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}})"}},
           "spec.tasks: 3 instead of 2: tasks cannot be added or removed"},
          {{}, {{"/spec/volumes", "[]"}}, "spec.volumes: cannot be changed"},
          {{{"/spec/volumes",
             R"([{"mountPath":"/a","volumeClaim":{"accessModes":["ReadWriteOnce"]}}])"}},
           {{"/spec/volumes/0/volumeClaimName", R"("train-pvc-abc")"}},
           ""},
          {{{"/spec/volumes", R"([{"mountPath":"/a","volumeClaimName":"a"}])"}},
           {{"/spec/volumes/0/volumeClaimName", R"("b")"}},
           "spec.volumes[0].volumeClaimName: cannot be changed"},
          {{{"/spec/tasks/1/partitionPolicy", R"({"totalPartitions":2,"partitionSize":1})"}},
           {{"/spec/tasks/1/replicas", "3"}},
           "spec.tasks[1].replicas: 3: must be totalPartitions × partitionSize, which is 2"},
          // Its queue may have closed meanwhile, and what was left out may be filled in.
          {{{"/spec/queue", R"("closed")"}}, {{"/spec/minAvailable", "2"}}, ""},
          {{{"/spec/maxRetry", ""}, {"/spec/tasks/0/maxRetry", ""}},
           {{"/spec/maxRetry", "3"}, {"/spec/tasks/0/maxRetry", "3"}},
           ""},
          {{{"/spec/tasks/0/template/metadata", R"({"creationTimestamp":null})"}},
           {{"/spec/tasks/0/template/metadata", "{}"}},
           ""},
      }) {
    const auto problems = Update(c.old, c.now);
    const std::string what = c.now.empty() ? "" : std::string(c.now[0].path) + c.now[0].value;
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << what;
    } else {
      // Others may follow from it: a task that is not there is missed by those that name it.
      EXPECT_THAT(problems, Contains(HasSubstr(c.want))) << what;
    }
  }
}

TEST_F(JobAdmissionTest, FillsInWhatIsMissing) {
  const auto patch = [&](std::string_view spec) {
    const json::object job{{"spec", json::parse(spec)}};
    std::string text;
    for (const json::value& step : MutateJob(job, "default", snapshot, policy).patch) {
      text += fmt::format("{}={} ", std::string_view(step.at("path").as_string()),
                          json::serialize(step.at("value")));
    }
    return text;
  };
  EXPECT_EQ(patch(R"({"tasks":[{"replicas":2},{"name":"b","replicas":3,"minAvailable":1}]})"),
            "/spec/queue=\"default\" /spec/schedulerName=\"volcano\" /spec/maxRetry=3 "
            "/spec/tasks/0/name=\"default0\" /spec/tasks/0/minAvailable=2 "
            "/spec/tasks/0/maxRetry=3 /spec/tasks/1/maxRetry=3 /spec/minAvailable=3 ");
  EXPECT_EQ(patch(R"({"queue":"open","schedulerName":"s","maxRetry":5,"minAvailable":1,
                      "tasks":[{"name":"a","replicas":4,"maxRetry":1,
                                "partitionPolicy":{"partitionSize":2,"minPartitions":1},
                                "template":{"spec":{"hostNetwork":true}}}]})"),
            "/spec/tasks/0/minAvailable=2 "
            "/spec/tasks/0/template/spec/dnsPolicy=\"ClusterFirstWithHostNet\" ");
  const std::string rest =
      R"("queue":"open","schedulerName":"s","maxRetry":5,"minAvailable":1,"tasks":[]})";
  EXPECT_EQ(patch(R"({"plugins":{"mpi":[]},)" + rest),
            "/spec/plugins/svc=[] /spec/plugins/ssh=[] ");
  EXPECT_EQ(patch(R"({"plugins":{"pytorch":[],"svc":["x"]},)" + rest), "");
  EXPECT_EQ(patch(R"({"plugins":{"tensorflow":[]},)" + rest), "/spec/plugins/svc=[] ");
  EXPECT_EQ(patch(R"({"plugins":{"ray":[],"env":[]},)" + rest), "/spec/plugins/svc=[] ");
  EXPECT_EQ(patch(R"({"plugins":{"env":[]},)" + rest), "");
  EXPECT_EQ(patch("{}"), "");
}

TEST_F(JobAdmissionTest, AJobGoesToTheQueueOfItsNamespace) {
  kube::Namespace ns;
  ns.meta.name = "team";
  ns.meta.annotations = {{"scheduling.volcano.sh/queue-name", "open"}};
  snapshot.PutNamespace(ns);
  const json::object job = With(kJob, {{"/spec/queue", ""}});
  EXPECT_EQ(json::serialize(MutateJob(job, "team", snapshot, policy).patch),
            R"([{"op":"add","path":"/spec/queue","value":"open"}])");
}

TEST_F(JobAdmissionTest, OddJobsAreJudgedWithoutSurprise) {
  for (const char* spec :
       {"null", "[]", "3", "{}", R"({"tasks":3})", R"({"tasks":[3,null,"x"]})",
        R"({"tasks":[{"name":7,"replicas":"many","template":[]}],"plugins":[],"volumes":{}})",
        R"({"tasks":[{"replicas":9223372036854775807,"minAvailable":9223372036854775807},
                     {"replicas":18446744073709551615}],"minAvailable":18446744073709551615})",
        R"({"tasks":[{"partitionPolicy":{"totalPartitions":4000000000,"partitionSize":4000000000,
                                         "minPartitions":4000000000}}]})"}) {
    const json::object job{{"metadata", nullptr}, {"spec", json::parse(spec)}};
    EXPECT_THAT(ValidateJob(job, nullptr, snapshot).problems, Not(IsEmpty())) << spec;
    (void)ValidateJob(job, &job, snapshot);
    (void)ValidateJob(With(kJob, {}), &job, snapshot);
    (void)MutateJob(job, "default", snapshot, policy);
    (void)ValidateJobTemplate(job);
  }
}

TEST_F(JobAdmissionTest, ATemplateIsAJobsSpecificationWithoutItsQueue) {
  EXPECT_THAT(ValidateJobTemplate(With(kJob, {{"/spec/queue", R"("later")"}})).problems, IsEmpty());
  EXPECT_THAT(ValidateJobTemplate(With(kJob, {{"/spec/tasks/0/replicas", "-1"}})).problems,
              Contains(HasSubstr("spec.tasks[0].replicas: -1")));
}

TEST(FlowAdmissionTest, AJobFlowNamesItsOwnFlowsAndGoesForward) {
  struct Case {
    const char* spec;
    const char* want;  // "": good
  };
  for (
      const Case& c : std::initializer_list<Case>{
          {"{}", ""},
          {R"({"flows":[{"name":"a"},{"name":"b","dependsOn":{"targets":["a"]}}]})", ""},
          {R"({"flows":[{"name":"a"}],"jobRetainPolicy":"delete"})", ""},
          {R"({"flows":[{"name":"a"}],"jobRetainPolicy":"keep"})",
           "spec.jobRetainPolicy: \"keep\": want retain or delete"},
          {R"({"flows":[{"name":"a","dependsOn":{"targets":["x"]}}]})",
           "spec.flows[0].dependsOn.targets: \"x\": there is no such flow here"},
          {R"({"flows":[{"name":"a","dependsOn":{"targets":["a"]}}]})",
           "spec.flows[0].dependsOn.targets: \"a\": a flow cannot wait for itself"},
          {R"({"flows":[{"name":"a","dependsOn":{"targets":["c"]}},{"name":"b","dependsOn":{"targets":["a"]}},{"name":"c","dependsOn":{"targets":["b"]}}]})",
           "spec.flows: dependsOn goes in a circle: a, c, b, a"},
      }) {
    const auto problems = ValidateJobFlow({{"spec", json::parse(c.spec)}}).problems;
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << c.spec;
    } else {
      EXPECT_THAT(problems, ElementsAre(HasSubstr(c.want))) << c.spec;
    }
  }
}

TEST(FlowAdmissionTest, ALongChainIsNoCircleAndCostsLittle) {
  std::map<std::string, std::vector<std::string>> needs;
  for (int i = 0; i < 20'000; ++i) needs[std::to_string(i)] = {std::to_string(i + 1)};
  EXPECT_EQ(FindCycle(needs), "");
  needs["20000"] = {"19999"};
  EXPECT_EQ(FindCycle(needs), "19999, 20000, 19999");
}

TEST(FlowAdmissionTest, ACronJobHasAScheduleAndAJob) {
  constexpr std::string_view kCron = R"({"metadata":{"name":"nightly"},"spec":{
    "schedule":"0 2 * * *","timeZone":"UTC","jobTemplate":{"spec":{"tasks":[{"replicas":1,
    "template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}}})";
  const std::string long_name = "\"" + std::string(53, 'a') + "\"";
  struct Case {
    Put put;
    const char* want;  // "": good
  };
  for (const Case& c : std::initializer_list<Case>{
           {{"/spec/suspend", "true"}, ""},
           {{"/spec/schedule", R"("@every 5m")"}, ""},
           {{"/spec/schedule", R"("")"}, "spec.schedule \"\": is empty"},
           {{"/spec/schedule", R"("0 25 * * *")"},
            "spec.schedule \"0 25 * * *\": hour: \"25\": want numbers from 0 to 23"},
           {{"/spec/schedule", R"("TZ=UTC 0 2 * * *")"}, "use timeZone"},
           {{"/spec/schedule", R"("CRON_TZ=UTC 0 2 * * *")"}, "use timeZone"},
           {{"/spec/timeZone", R"("")"}, "spec.timeZone: unknown time zone \"\""},
           {{"/spec/timeZone", R"("Local")"}, "spec.timeZone: unknown time zone \"Local\""},
           {{"/spec/timeZone", R"("Mars/Base")"}, "spec.timeZone: unknown time zone \"Mars/Base\""},
           {{"/metadata/name", long_name.c_str()}, "has 53 characters; at most 52 are allowed"},
           {{"/spec/startingDeadlineSeconds", "-1"},
            "spec.startingDeadlineSeconds: -1: must not be negative"},
           {{"/spec/successfulJobsHistoryLimit", "-1"},
            "spec.successfulJobsHistoryLimit: -1: must not be negative"},
           {{"/spec/failedJobsHistoryLimit", "-1"},
            "spec.failedJobsHistoryLimit: -1: must not be negative"},
           {{"/spec/concurrencyPolicy", R"("Queue")"},
            "spec.concurrencyPolicy: \"Queue\": want Allow, Forbid or Replace"},
           {{"/spec/concurrencyPolicy", R"("Forbid")"}, ""},
           {{"/spec/jobTemplate/spec/tasks", "[]"},
            "spec.jobTemplate.spec.tasks: at least one is needed"},
       }) {
    const auto problems = ValidateCronJob(With(kCron, {c.put})).problems;
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << c.put.path << c.put.value;
    } else {
      EXPECT_THAT(problems, ElementsAre(HasSubstr(c.want))) << c.put.path << c.put.value;
    }
  }
}

TEST(FlowAdmissionTest, AHyperNodesMembersAreChosenInOneWayEach) {
  struct Case {
    const char* members;
    const char* want;  // "": good
  };
  for (const Case& c : std::initializer_list<Case>{
           {R"([{"type":"Node","selector":{"exactMatch":{"name":"n"}}}])", ""},
           {R"([{"type":"HyperNode","selector":{"regexMatch":{"pattern":"^s[0-9]+$"}}}])", ""},
           {R"([{"type":"Node","selector":{"labelMatch":{"matchLabels":{"a":"b"}}}}])", ""},
           {"[]", "spec.members: at least one is needed"},
           {R"([{"type":"Rack","selector":{"exactMatch":{"name":"n"}}}])",
            "spec.members[0].type: \"Rack\": want Node or HyperNode"},
           {R"([{"type":"Node","selector":{}}])", "spec.members[0].selector: has 0 of"},
           {R"([{"type":"Node","selector":{"exactMatch":{"name":"n"},"labelMatch":{}}}])",
            "spec.members[0].selector: has 2 of"},
           {R"([{"type":"Node","selector":{"exactMatch":{"name":""}}}])",
            "spec.members[0].selector.exactMatch.name: missing"},
           {R"([{"type":"Node","selector":{"regexMatch":{"pattern":""}}}])",
            "spec.members[0].selector.regexMatch.pattern: missing"},
           {R"([{"type":"Node","selector":{"regexMatch":{"pattern":"a("}}}])",
            "spec.members[0].selector.regexMatch.pattern: \"a(\": is no regular expression"},
       }) {
    const json::object node{{"spec", json::object{{"members", json::parse(c.members)}}}};
    const auto problems = ValidateHyperNode(node).problems;
    if (*c.want == '\0') {
      EXPECT_THAT(problems, IsEmpty()) << c.members;
    } else {
      EXPECT_THAT(problems, ElementsAre(HasSubstr(c.want))) << c.members;
    }
  }
}

}  // namespace
}  // namespace basalt::webhook
