#include "apiserver/kinds/cells.h"

#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_test_util.h"

// What kubectl's tables show.
namespace basalt::apiserver {
namespace {

struct TableRow {
  const char* kind;
  const char* change;  // of the least that the kind takes
  const char* cells;   // without the age, which is that of a new object
};

TEST(CellsTest, OfEachKind) {
  const TableRow rows[] = {
      {"nodes",
       R"({"metadata":{"labels":{"node-role.kubernetes.io/b":"","kubernetes.io/role":"a"}},
         "spec":{"unschedulable":true},"status":{"nodeInfo":{"kubeletVersion":"v1"},
         "conditions":[{"type":"Ready","status":"True"}],
         "addresses":[{"type":"InternalIP","address":"10.0.0.1"}]}})",
       R"(["it","Ready,SchedulingDisabled","a,b","v1","10.0.0.1","<none>","<unknown>","<unknown>","<unknown>"])"},
      {"nodes", "{}",
       R"(["it","Unknown","<none>","","<none>","<none>","<unknown>","<unknown>","<unknown>"])"},
      {"namespaces", "{}", R"(["it","Active"])"},
      {"secrets", R"({"stringData":{"a":"b"}})", R"(["it","Opaque",1])"},
      {"configmaps", R"({"data":{"a":"b"},"binaryData":{"c":"YQ=="}})", R"(["it",2])"},
      {"deployments", R"({"spec":{"replicas":3}})", R"(["it","0/3",0,0,"c","x","app=a"])"},
      {"replicasets", "{}", R"(["it",1,0,0,"c","x","app=a"])"},
      {"statefulsets", "{}", R"(["it","0/1","c","x"])"},
      {"daemonsets", R"({"spec":{"template":{"spec":{"nodeSelector":{"b":"c","a":"b"}}}}})",
       R"(["it",0,0,0,0,0,"a=b,b=c","c","x","app=a"])"},
      {"replicationcontrollers", "{}", R"(["it",1,0,0,"c","x","app=a"])"},
      {"controllerrevisions",
       R"({"revision":3,"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet",
         "name":"d","uid":"u","controller":true}]}})",
       R"(["it","daemonset.apps/d",3])"},
      {"jobs", "{}",
       R"(["it","Running","0/1","","c","x","batch.kubernetes.io/controller-uid=uid"])"},
      {"jobs", R"({"spec":{"parallelism":3}})",
       R"(["it","Running","0/1 of 3","","c","x","batch.kubernetes.io/controller-uid=uid"])"},
      {"cronjobs", R"({"spec":{"suspend":true,"timeZone":"Etc/UTC"}})",
       R"(["it","* * * * *","Etc/UTC","True",0,"<none>","c","x","<none>"])"},
      {"poddisruptionbudgets", R"({"spec":{"minAvailable":0}})", R"(["it","0","N/A",0])"},
      {"poddisruptionbudgets", R"({"spec":{"maxUnavailable":"5%"}})", R"(["it","N/A","5%",0])"},
      {"priorityclasses", R"({"value":7})", R"(["it",7,false,"PreemptLowerPriority"])"},
      {"leases", R"({"spec":{"holderIdentity":"h"}})", R"(["it","h"])"},
      {"services", R"({"spec":{"clusterIP":"10.0.0.1","selector":{"a":"b"}}})",
       R"(["it","ClusterIP","10.0.0.1","<none>","80/TCP","a=b"])"},
      {"services", R"({"spec":{"type":"LoadBalancer","ports":[{"port":1,"nodePort":30000}]}})",
       R"(["it","LoadBalancer","<none>","<pending>","1:30000/TCP","<none>"])"},
      {"services", R"({"spec":{"type":"ExternalName","externalName":"e"}})",
       R"(["it","ExternalName","<none>","e","80/TCP","<none>"])"},
      {"endpoints",
       R"({"subsets":[{"addresses":[{"ip":"a"},{"ip":"b"}],"ports":[{"port":1},{"port":2}]}]})",
       R"(["it","a:1,a:2,b:1 + 1 more..."])"},
      {"endpointslices",
       R"({"addressType":"IPv4","ports":[{"port":1},{"port":2}],
         "endpoints":[{"addresses":["a"]},{"addresses":["b"]}]})",
       R"(["it","IPv4","1,2","a,b"])"},
      {"networkpolicies", "{}", R"(["it","<none>"])"},
      {"ingresses",
       R"({"spec":{"tls":[{}],"rules":[{"host":"a"},{"host":"b"},{"host":"c"},{"host":"d"}]}})",
       R"(["it","<none>","a,b,c + 1 more...","","80, 443"])"},
      {"ingressclasses",
       R"({"metadata":{"annotations":{"ingressclass.kubernetes.io/is-default-class":"true"}},
         "spec":{"controller":"c","parameters":{"apiGroup":"g","kind":"k","name":"n"}}})",
       R"x(["it (default)","c","k.g/n"])x"},
      {"horizontalpodautoscalers",
       R"({"spec":{"maxReplicas":5,"scaleTargetRef":{"kind":"Deployment","name":"d"}}})",
       R"(["it","Deployment/d","cpu: <unknown>/80%","1",5,0])"},
      {"rolebindings",
       R"({"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"User","name":"u"},
         {"kind":"ServiceAccount","name":"s","namespace":"n"}]})",
       R"(["it","Role/r","u","","n/s"])"},
      {"persistentvolumeclaims", "{}", R"(["it","Pending","","","","","<unset>","Filesystem"])"},
      {"persistentvolumes", R"({"spec":{"claimRef":{"namespace":"n","name":"c"}}})",
       R"(["it","1Gi","RWO","Retain","Pending","n/c","","<unset>","","Filesystem"])"},
      {"storageclasses", R"({"allowVolumeExpansion":true})",
       R"(["it","p","Delete","Immediate",true])"},
      {"csinodes", "{}", R"(["it",1])"},
      {"csidrivers", R"({"spec":{"tokenRequests":[{"audience":"a"},{"audience":"b"}]}})",
       R"(["it",true,false,false,"a,b",false,"Persistent"])"},
      {"volumeattachments", R"({"spec":{"source":{"persistentVolumeName":"v"}}})",
       R"(["it","a","v","n",false])"},
      {"mutatingwebhookconfigurations", "{}", R"(["it",1])"},
      {"runtimeclasses", R"({"handler":"h"})", R"(["it","h"])"},
  };
  for (const TableRow& row : rows) {
    json::object object = Created(row.kind, row.change);
    Metadata(object)["creationTimestamp"] = "2026-01-01T00:00:00Z";
    const KindRules& rules = *KindNamed(row.kind).rules;
    json::array cells = rules.Cells(object, TestTime() + 90s);
    const std::vector<TableColumn> columns = rules.Columns();
    ASSERT_EQ(cells.size(), columns.size()) << row.kind;
    const auto age = std::ranges::find(columns, "Age", &TableColumn::name);
    const auto at = age - columns.begin();
    if (age != columns.end()) {
      EXPECT_EQ(cells[static_cast<std::size_t>(at)], "90s");
      cells.erase(cells.begin() + at);
    }
    EXPECT_EQ(json::serialize(cells), row.cells) << row.kind << " " << row.change;
  }
}

TEST(CellsTest, AJobTellsHowItIsAndHowLongItTook) {
  struct Row {
    const char* status;
    const char* text;
    const char* took;
  };
  const Row rows[] = {
      {R"({"startTime":"2026-01-01T00:00:00Z"})", "Running", "90s"},
      {R"({"startTime":"2026-01-01T00:00:00Z","completionTime":"2026-01-01T00:00:20Z",
         "conditions":[{"type":"Complete","status":"True"}]})",
       "Complete", "20s"},
      {R"({"conditions":[{"type":"Failed","status":"True"}]})", "Failed", ""},
      {R"({"conditions":[{"type":"Suspended","status":"True"}]})", "Suspended", ""},
      {R"({"conditions":[{"type":"Suspended","status":"False"}]})", "Running", ""},
  };
  for (const Row& row : rows) {
    json::object job = Created("jobs", "{}");
    job["status"] = json::parse(row.status);
    const json::array cells = KindNamed("jobs").rules->Cells(job, TestTime() + 90s);
    EXPECT_EQ(cells.at(1), row.text);
    EXPECT_EQ(cells.at(3), row.took) << row.status;
  }
}

TEST(CellsTest, AQuotaShowsWhatIsUsedOfIt) {
  json::object quota = Created("resourcequotas", "{}");
  quota["status"] = json::parse(R"({"hard":{"pods":"5","limits.cpu":"2","cpu":"4"},
                                    "used":{"cpu":"1"}})");
  const json::array cells = KindNamed("resourcequotas").rules->Cells(quota, TestTime());
  EXPECT_EQ(cells.at(1), "cpu: 1/4, pods: 0/5");
  EXPECT_EQ(cells.at(2), "limits.cpu: 0/2");
}

TEST(CellsTest, APodShowsWhatItsContainersDo) {
  struct Row {
    const char* status;
    const char* ready;
    const char* text;
    const char* restarts;
  };
  const Row rows[] = {
      {R"({"phase":"Pending"})", "0/1", "Pending", "0"},
      {R"({"phase":"Running","containerStatuses":[{"ready":true,"state":{"running":{}}}]})", "1/1",
       "Running", "0"},
      {R"({"phase":"Running","containerStatuses":[{"restartCount":2,
         "lastState":{"terminated":{"finishedAt":"2026-01-01T00:00:00Z"}},
         "state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})",
       "0/1", "CrashLoopBackOff", "2 (90s ago)"},
      {R"({"phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":3}}}]})", "0/1",
       "ExitCode:3", "0"},
      {R"({"phase":"Failed","reason":"Evicted"})", "0/1", "Evicted", "0"},
      {R"({"phase":"Pending","conditions":[{"type":"PodScheduled","reason":"SchedulingGated"}]})",
       "0/1", "SchedulingGated", "0"},
  };
  for (const Row& row : rows) {
    json::object pod = Created("pods", "{}");
    pod["status"] = json::parse(row.status);
    const json::array cells = KindNamed("pods").rules->Cells(pod, TestTime() + 90s);
    EXPECT_EQ(cells.at(1), row.ready) << row.status;
    EXPECT_EQ(cells.at(2), row.text) << row.status;
    EXPECT_EQ(cells.at(3), row.restarts) << row.status;
  }
}

TEST(CellsTest, APodThatGoesIsTerminating) {
  json::object pod = Created("pods", "{}");
  Metadata(pod)["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_EQ(KindNamed("pods").rules->Cells(pod, TestTime()).at(2), "Terminating");
}

TEST(CellsTest, DurationsAreSaidAsPeopleSayThem) {
  const std::pair<Duration, const char*> rows[] = {
      {0s, "0s"},           {119s, "119s"},      {120s, "2m"},      {318s, "5m18s"},
      {10min, "10m"},       {179min, "179m"},    {3h, "3h"},        {3h + 5min, "3h5m"},
      {47h, "47h"},         {49h, "2d1h"},       {24h * 9, "9d"},   {24h * 730, "2y"},
      {24h * 740, "2y10d"}, {24h * 3650, "10y"}, {-5s, "<invalid>"}};
  for (const auto& [duration, text] : rows) EXPECT_EQ(HumanDuration(duration), text);
}

struct Selected {
  const char* kind;
  const char* change;
  const char* field;
  const char* value;
};

TEST(FieldSelectorsTest, KnowTheFieldsOfTheirKind) {
  const Selected rows[] = {
      {"pods", R"({"spec":{"nodeName":"n"}})", "spec.nodeName", "n"},
      {"pods", "{}", "spec.hostNetwork", "false"},
      {"pods", R"({"spec":{"hostNetwork":true}})", "spec.hostNetwork", "true"},
      {"pods", "{}", "status.phase", "Pending"},
      {"pods", "{}", "spec.schedulerName", "default-scheduler"},
      {"nodes", "{}", "spec.unschedulable", "false"},
      {"namespaces", "{}", "name", "it"},
      {"namespaces", "{}", "status.phase", "Active"},
      {"replicasets", "{}", "status.replicas", "0"},
      {"jobs", "{}", "status.successful", "0"},
      {"secrets", "{}", "type", "Opaque"},
      {"services", "{}", "spec.type", "ClusterIP"},
      {"events", R"({"involvedObject":{"kind":"Pod"},"source":{"component":"c"}})",
       "involvedObject.kind", "Pod"},
      {"events", R"({"source":{"component":"c"}})", "source", "c"},
  };
  for (const Selected& row : rows) {
    std::string value;
    const KindRules& rules = *KindNamed(row.kind).rules;
    ASSERT_TRUE(rules.FieldValue(Created(row.kind, row.change), row.field, value)) << row.field;
    EXPECT_EQ(value, row.value) << row.kind << " " << row.field;
  }
  std::string value;
  EXPECT_FALSE(KindNamed("pods").rules->FieldValue({}, "spec.containers", value));
  EXPECT_FALSE(KindNamed("configmaps").rules->FieldValue({}, "data", value));
}

}  // namespace
}  // namespace basalt::apiserver
