#include "cli/reservation_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace basalt::cli {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

json::object Read(std::string_view text) { return json::parse(text).as_object(); }

json::value SpecOf(std::string_view object, ReservedFor from, ReservationFlags flags = {}) {
  flags.name = "r";
  flags.ns = "ns";
  const auto body = ReservationBody(Read(object), from, flags);
  EXPECT_TRUE(body) << body.error().message;
  if (!body) return {};
  EXPECT_EQ(body->at("metadata"), json::parse(R"({"name":"r","namespace":"ns"})"));
  return body->at("spec");
}

std::string ProblemOf(std::string_view object, ReservationFlags flags = {},
                      ReservedFor from = ReservedFor::kFile) {
  const auto body = ReservationBody(Read(object), from, flags);
  return body ? "" : body.error().message;
}

constexpr std::string_view kRunningPod = R"({"apiVersion":"v1","kind":"Pod",
  "metadata":{"name":"web-x1","namespace":"ns","uid":"u","labels":{"app":"web"},
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"rs","controller":true}]},
  "spec":{"schedulerName":"volcano","nodeName":"n1","priority":0,"preemptionPolicy":"PreemptLowerPriority",
    "serviceAccount":"default","serviceAccountName":"default","dnsPolicy":"ClusterFirst",
    "restartPolicy":"Always","enableServiceLinks":true,"terminationGracePeriodSeconds":30,
    "securityContext":{},
    "tolerations":[{"key":"a","operator":"Exists"},
      {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},
      {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],
    "volumes":[{"name":"kube-api-access-abcde","projected":{}}],
    "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}},
      "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
      "volumeMounts":[{"name":"kube-api-access-abcde","mountPath":"/v"}]}]},
  "status":{"phase":"Running"}})";

TEST(ReservationBody, OfARunningPodIsItsTemplateForItsController) {
  EXPECT_EQ(SpecOf(kRunningPod, ReservedFor::kClusterObject), json::parse(R"({
    "owners":[{"object":{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"rs"}}],
    "tasks":[{"name":"web-x1","replicas":1,"template":{
      "metadata":{"labels":{"app":"web"}},
      "spec":{"schedulerName":"volcano","tolerations":[{"key":"a","operator":"Exists"}],
        "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}]})"));
}

TEST(ReservationBody, OfAPodWithoutAControllerIsForThePodItself) {
  const json::value spec =
      SpecOf(R"({"kind":"Pod","metadata":{"name":"p.q"},"spec":{"containers":[]}})",
             ReservedFor::kClusterObject);
  EXPECT_EQ(spec.at("owners"), json::parse(R"([{"object":{"kind":"Pod","name":"p.q"}}])"));
  EXPECT_EQ(spec.at("tasks").at(0).at("name"), "pods") << "p.q is no name of a task";
}

TEST(ReservationBody, OfAWorkloadHasItsReplicasAndLabels) {
  struct Case {
    const char* object;
    int replicas;
  };
  const std::string of_template =
      R"("template":{"metadata":{"creationTimestamp":null,"labels":{"app":"web"}},"spec":{"containers":[]}}}})";
  for (const auto& [kind, fields, replicas] :
       std::initializer_list<std::tuple<std::string, std::string, int>>{
           {"Deployment", R"("replicas":3,)", 3},
           {"ReplicaSet", R"("replicas":2,)", 2},
           {"StatefulSet", "", 1},
           {"Job", R"("parallelism":4,)", 4},
           {"Job", R"("parallelism":4,"completions":2,)", 2},
           {"Job", "", 1}}) {
    const std::string object =
        R"({"kind":")" + kind + R"(","metadata":{"name":"web"},"spec":{)" + fields + of_template;
    const json::value spec = SpecOf(object, ReservedFor::kClusterObject);
    EXPECT_EQ(spec.at("tasks").at(0).at("replicas"), replicas) << object;
    EXPECT_EQ(spec.at("tasks").at(0).at("template"),
              json::parse(R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[]}})"));
    EXPECT_EQ(spec.at("owners"),
              json::parse(R"([{"labelSelector":{"matchLabels":{"app":"web"}}}])"));
  }
}

TEST(ReservationBody, OfAPodInAFileGoesByItsLabels) {
  EXPECT_EQ(SpecOf(R"({"kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},"spec":{}})",
                   ReservedFor::kFile)
                .at("owners"),
            json::parse(R"([{"labelSelector":{"matchLabels":{"a":"b"}}}])"));
  EXPECT_THAT(ProblemOf(R"({"kind":"Pod","metadata":{"name":"p"},"spec":{}})"),
              HasSubstr("--owner KEY=VALUE"));
}

TEST(ReservationBody, OfAReservationIsTakenAsItIs) {
  const std::string given =
      R"({"kind":"Reservation","metadata":{"name":"other"},"spec":{"minAvailable":1,"owners":[{"labelSelector":{}}],"tasks":[{"name":"a"},{"name":"b"}]}})";
  EXPECT_EQ(SpecOf(given, ReservedFor::kFile), Read(given).at("spec"));
  EXPECT_THAT(ProblemOf(given, {.replicas = 2}), HasSubstr("has 2"));
}

TEST(ReservationBody, FlagsSayTheRest) {
  const json::value spec = SpecOf(kRunningPod, ReservedFor::kClusterObject,
                                  {.replicas = 2,
                                   .queue = "q",
                                   .ttl = "10m",
                                   .expires = "2030-01-01T00:00:00Z",
                                   .owners = {"a=b", "c="},
                                   .nodes = {"n1", "n2"},
                                   .required = true});
  EXPECT_EQ(spec.at("queue"), "q");
  EXPECT_EQ(spec.at("ttl"), "10m");
  EXPECT_EQ(spec.at("expires"), "2030-01-01T00:00:00Z");
  EXPECT_EQ(spec.at("owners"), json::parse(R"([{"labelSelector":{"matchLabels":{"a":"b"}}},
                                               {"labelSelector":{"matchLabels":{"c":""}}}])"));
  const json::value& task = spec.at("tasks").at(0);
  EXPECT_EQ(task.at("replicas"), 2);
  EXPECT_EQ(task.at("reservationNodeNames"), json::parse(R"(["n1","n2"])"));
  EXPECT_EQ(task.at("reservationNodePolicy"), "Required");
}

TEST(ReservationBody, WhatMakesNoSenseIsRefused) {
  EXPECT_THAT(ProblemOf(R"({"kind":"Service"})"), HasSubstr("cannot reserve room for a Service"));
  EXPECT_THAT(ProblemOf(kRunningPod, {.ttl = "soon"}), HasSubstr("--ttl"));
  EXPECT_THAT(ProblemOf(kRunningPod, {.expires = "soon"}), HasSubstr("--expires"));
  EXPECT_THAT(ProblemOf(kRunningPod, {.owners = {"a"}}), HasSubstr("want KEY=VALUE"));
  EXPECT_THAT(ProblemOf(kRunningPod, {.required = true}), HasSubstr("--node"));
  EXPECT_THAT(ProblemOf(kRunningPod, {.replicas = 0}), HasSubstr("--replicas"));
  EXPECT_THAT(ProblemOf(R"({"kind":"Deployment","spec":{"replicas":0,"template":{
                             "metadata":{"labels":{"a":"b"}}}}})"),
              HasSubstr("no replicas"));
}

}  // namespace
}  // namespace basalt::cli
