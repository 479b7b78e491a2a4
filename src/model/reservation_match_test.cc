#include "model/reservation_match.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kube/types/codec.h"

namespace basalt::model {
namespace {

kube::Reservation ReadReservation(const std::string& spec) {
  const auto read = kube::Decode<kube::Reservation>(
      fmt::format(R"({{"metadata":{{"name":"r","namespace":"ns"}},"spec":{}}})", spec));
  EXPECT_TRUE(read) << read.error().message;
  return read.value_or(kube::Reservation{});
}

kube::Pod ReadPod(const std::string& spec) {
  const auto read = kube::Decode<kube::Pod>(fmt::format(
      R"({{"metadata":{{"name":"p","namespace":"ns","uid":"u-p",
          "labels":{{"app":"web","tier":"front"}},
          "ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u-rs",
                               "controller":true}},
                             {{"apiVersion":"v1","kind":"ConfigMap","name":"c","uid":"u-cm"}}]}},
          "spec":{}}})",
      spec));
  EXPECT_TRUE(read) << read.error().message;
  return read.value_or(kube::Pod{});
}

TEST(ReservationOwners, AreOredByObjectAndByLabels) {
  struct Case {
    const char* owners;
    bool want;
    bool want_without_group;
  };
  const Case cases[] = {
      {"[]", false, false},
      {R"([{"labelSelector":{}}])", true, true},
      {R"([{"labelSelector":{"matchLabels":{"app":"web"}}}])", true, true},
      {R"([{"labelSelector":{"matchLabels":{"app":"db"}}}])", false, false},
      {R"([{"labelSelector":{"matchLabels":{"app":"web","tier":"back"}}}])", false, false},
      {R"([{"labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["db","web"]}]}}])",
       true, true},
      // One of several, and one of the two parts of an entry.
      {R"([{"labelSelector":{"matchLabels":{"app":"db"}}},{"object":{"name":"p"}}])", true, true},
      {R"([{"labelSelector":{"matchLabels":{"app":"db"}},"object":{"kind":"Pod","name":"p"}}])",
       true, true},
      {R"([{"labelSelector":{"matchLabels":{"app":"web"}},"object":{"name":"x"}}])", true, true},
      // The pod itself, field by field.
      {R"([{"object":{"apiVersion":"v1","kind":"Pod","namespace":"ns","name":"p","uid":"u-p"}}])",
       true, true},
      {R"([{"object":{"apiVersion":"v2","kind":"Pod","name":"p"}}])", false, false},
      {R"([{"object":{"kind":"Pod","namespace":"other","name":"p"}}])", false, false},
      {R"([{"object":{"kind":"Pod","name":"q"}}])", false, false},
      {R"([{"object":{"kind":"Pod","name":"p","uid":"u-x"}}])", false, false},
      // Its owners, the controller or not.
      {R"([{"object":{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web"}}])", true, true},
      {R"([{"object":{"kind":"ReplicaSet","uid":"u-rs"}}])", true, true},
      {R"([{"object":{"kind":"ReplicaSet","namespace":"other","name":"web"}}])", false, false},
      {R"([{"object":{"kind":"Job","name":"web"}}])", false, false},
      {R"([{"object":{"kind":"ConfigMap","name":"c"}}])", true, true},
      // Its group.
      {R"([{"object":{"kind":"PodGroup","name":"gang"}}])", true, false},
      {R"([{"object":{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","namespace":"ns","name":"gang","uid":"u-g"}}])",
       true, false},
      {R"([{"object":{"kind":"PodGroup","name":"other"}}])", false, false},
  };
  kube::PodGroup group;
  group.meta = {.name = "gang", .ns = "ns", .uid = "u-g"};
  const kube::Pod pod = ReadPod("{}");
  for (const Case& c : cases) {
    const kube::Reservation reservation =
        ReadReservation(fmt::format(R"({{"owners":{}}})", c.owners));
    EXPECT_EQ(OwnersMatch(reservation, pod, &group), c.want) << c.owners;
    EXPECT_EQ(OwnersMatch(reservation, pod, nullptr), c.want_without_group) << c.owners;
  }
}

// What the tests' pods and templates are made of; `more` are further fields of the spec, with a
// comma in front.
std::string Spec(std::string_view container, std::string_view more = "") {
  return fmt::format(R"({{"containers":[{{"name":"c","image":"i"{}}}]{}}})", container, more);
}

TEST(ReservationTemplate, IsComparedFieldByField) {
  const std::string plain = Spec("");
  const std::string cpu1 = Spec(R"(,"resources":{"requests":{"cpu":"1"}})");
  struct Case {
    const char* what;
    std::string of_template;
    std::string of_pod;
    bool want;
  };
  const Case cases[] = {
      {"the same", plain, Spec("", R"(,"schedulerName":"volcano")"), true},
      {"the template names the scheduler", Spec("", R"(,"schedulerName":"volcano")"),
       Spec("", R"(,"schedulerName":"volcano")"), true},
      {"another scheduler", plain, Spec("", R"(,"schedulerName":"other")"), false},
      {"another name", plain, R"({"containers":[{"name":"d","image":"i"}]})", false},
      {"another image", plain, R"({"containers":[{"name":"c","image":"j"}]})", false},
      {"one container more", plain,
       R"({"containers":[{"name":"c","image":"i"},{"name":"d","image":"i"}]})", false},
      {"containers in another order",
       R"({"containers":[{"name":"c","image":"i"},{"name":"d","image":"j"}]})",
       R"({"containers":[{"name":"d","image":"j"},{"name":"c","image":"i"}]})", true},
      {"an init container more", plain, Spec("", R"(,"initContainers":[{"name":"s","image":"i"}])"),
       false},
      {"the same init container", Spec("", R"(,"initContainers":[{"name":"s","image":"i"}])"),
       Spec("", R"(,"initContainers":[{"name":"s","image":"i"}])"), true},
      {"another image of an init container",
       Spec("", R"(,"initContainers":[{"name":"s","image":"i"}])"),
       Spec("", R"(,"initContainers":[{"name":"s","image":"j"}])"), false},
      {"more for an init container", Spec("", R"(,"initContainers":[{"name":"s","image":"i"}])"),
       Spec("",
            R"(,"initContainers":[{"name":"s","image":"i","resources":{"requests":{"cpu":"1"}}}])"),
       false},
      {"quantities by value", cpu1, Spec(R"(,"resources":{"requests":{"cpu":"1000m"}})"), true},
      {"another request", cpu1, Spec(R"(,"resources":{"requests":{"cpu":"2"}})"), false},
      {"a request more", cpu1, Spec(R"(,"resources":{"requests":{"cpu":"1","memory":"1Gi"}})"),
       false},
      {"an extended resource", cpu1, Spec(R"(,"resources":{"requests":{"cpu":"1","x.io/y":"1"}})"),
       false},
      {"a limit without a request is one", Spec(R"(,"resources":{"limits":{"cpu":"1"}})"),
       Spec(R"(,"resources":{"limits":{"cpu":"1"},"requests":{"cpu":"1"}})"), true},
      {"another limit", Spec(R"(,"resources":{"requests":{"cpu":"1"},"limits":{"cpu":"1"}})"),
       Spec(R"(,"resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"}})"), false},
      {"a host port", plain, Spec(R"(,"ports":[{"containerPort":80,"hostPort":80}])"), false},
      {"a port of the pod's own does not count", plain, Spec(R"(,"ports":[{"containerPort":80}])"),
       true},
      {"TCP is what is not said", Spec(R"(,"ports":[{"containerPort":80,"hostPort":80}])"),
       Spec(R"(,"ports":[{"containerPort":80,"hostPort":80,"protocol":"TCP"}])"), true},
      {"another protocol", Spec(R"(,"ports":[{"containerPort":80,"hostPort":80}])"),
       Spec(R"(,"ports":[{"containerPort":80,"hostPort":80,"protocol":"UDP"}])"), false},
      {"host ports in another order",
       Spec(R"(,"ports":[{"containerPort":1,"hostPort":80},{"containerPort":2,"hostPort":81}])"),
       Spec(R"(,"ports":[{"containerPort":2,"hostPort":81},{"containerPort":1,"hostPort":80}])"),
       true},
      {"on the node's network the API server says the host port",
       Spec(R"(,"ports":[{"containerPort":80}])", R"(,"hostNetwork":true)"),
       Spec(R"(,"ports":[{"containerPort":80,"hostPort":80}])", R"(,"hostNetwork":true)"), true},
      {"a node selector", plain, Spec("", R"(,"nodeSelector":{"a":"b"})"), false},
      {"the same node selector", Spec("", R"(,"nodeSelector":{"a":"b"})"),
       Spec("", R"(,"nodeSelector":{"a":"b"})"), true},
      {"node affinity", plain,
       Spec("", R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                 {"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"Exists"}]}]}}})"),
       false},
      {"pod anti-affinity", plain,
       Spec("", R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
                 [{"topologyKey":"kubernetes.io/hostname","labelSelector":{}}]}})"),
       false},
      {"an affinity that says nothing", plain, Spec("", R"(,"affinity":{"nodeAffinity":{}})"),
       true},
      {"a toleration", plain, Spec("", R"(,"tolerations":[{"key":"a","operator":"Exists"}])"),
       false},
      {"tolerations in another order",
       Spec("", R"(,"tolerations":[{"key":"a","operator":"Exists"},{"key":"b","value":"x"}])"),
       Spec("", R"(,"tolerations":[{"key":"b","value":"x"},{"key":"a","operator":"Exists"}])"),
       true},
      {"the tolerations that every pod gets", plain, Spec("", R"(,"tolerations":[
                 {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},
                 {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}])"),
       true},
      {"such a toleration for another time", plain, Spec("", R"(,"tolerations":[
                 {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}])"),
       false},
      {"such a toleration of a value", plain, Spec("", R"(,"tolerations":[
                 {"key":"node.kubernetes.io/not-ready","operator":"Equal","effect":"NoExecute","tolerationSeconds":300}])"),
       false},
      {"such a toleration of another effect", plain, Spec("", R"(,"tolerations":[
                 {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoSchedule","tolerationSeconds":300}])"),
       false},
      {"a toleration like these of something else", plain, Spec("", R"(,"tolerations":[
                 {"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}])"),
       false},
      {"a priority class", plain, Spec("", R"(,"priorityClassName":"high")"), false},
      {"the same priority class", Spec("", R"(,"priorityClassName":"high")"),
       Spec("", R"(,"priorityClassName":"high")"), true},
      {"the class that every pod gets", plain, Spec("", R"(,"priorityClassName":"usual")"), true},
      {"a template that names another than every pod gets",
       Spec("", R"(,"priorityClassName":"high")"), Spec("", R"(,"priorityClassName":"usual")"),
       false},
      {"the service account, its volume and mounts", plain,
       R"({"containers":[{"name":"c","image":"i","volumeMounts":[{"name":"kube-api-access-x","mountPath":"/v"}]}],
           "serviceAccountName":"default","volumes":[{"name":"kube-api-access-x","projected":{}}]})",
       true},
      {"command and environment", plain,
       Spec(R"(,"command":["sleep","1"],"env":[{"name":"A","value":"b"}])"), true},
      {"how it restarts", plain, Spec("", R"(,"restartPolicy":"Never","dnsPolicy":"Default")"),
       true},
      {"the whole pod's resources", plain, Spec("", R"(,"resources":{"requests":{"cpu":"1"}})"),
       false},
  };
  for (const Case& c : cases) {
    const kube::Reservation reservation =
        ReadReservation(fmt::format(R"({{"schedulerName":"volcano",
            "tasks":[{{"name":"t","template":{{"metadata":{{"labels":{{"x":"y"}}}},"spec":{}}}}}]}})",
                                    c.of_template));
    kube::Pod pod = ReadPod(c.of_pod);
    if (pod.spec.scheduler_name.empty()) pod.spec.scheduler_name = "volcano";
    EXPECT_EQ(TemplateMatches(reservation, reservation.tasks[0], pod, "usual"), c.want) << c.what;
  }
}

// Which spares most pods a look at the rest.
TEST(ReservationTemplate, OfAnotherNameImageOrNumberOfContainersIsAnotherAtFirstSight) {
  const auto shape = [](const std::string& spec) { return QuickShape(ReadPod(spec).spec); };
  const std::size_t plain = shape(Spec(""));
  EXPECT_NE(shape(R"({"containers":[{"name":"d","image":"i"}]})"), plain);
  EXPECT_NE(shape(R"({"containers":[{"name":"c","image":"j"}]})"), plain);
  EXPECT_NE(shape(R"({"containers":[]})"), plain);
  EXPECT_NE(shape(Spec("", R"(,"initContainers":[{"name":"s","image":"i"}])")), plain);
}

TEST(ReservationTemplate, WithoutAGlobalDefaultAPodThatNamesNoClassMatches) {
  EXPECT_TRUE(SamePriorityClass("", "", ""));
  EXPECT_TRUE(SamePriorityClass("", "", "usual")) << "it is older than the default";
  EXPECT_FALSE(SamePriorityClass("", "high", ""));
  EXPECT_FALSE(SamePriorityClass("high", "", ""));
}

}  // namespace
}  // namespace basalt::model
