#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "controllers/job/plugins/plugin_test_util.h"

namespace basalt::controllers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::StartsWith;
using Tasks = std::vector<std::pair<std::string, int>>;

const Tasks kOneTask = {{"worker", 2}};
const Tasks kTwoTasks = {{"master", 1}, {"worker", 2}};
const Tasks kThreeTasks = {{"master", 1}, {"worker", 2}, {"log-keeper", 1}};

std::string At(const json::value& value, std::string_view pointer) {
  boost::system::error_code error;
  const json::value* found = value.find_pointer(pointer, error);
  return found ? json::serialize(*found) : "";
}

TEST(EnvPlugin, TellsEveryContainerItsIndex) {
  for (const Tasks& tasks : {kOneTask, kTwoTasks, kThreeTasks}) {
    const PluginJob job(R"("env": [])", tasks);
    EXPECT_EQ(job.Env("worker", 1), "VK_TASK_INDEX=1 VC_TASK_INDEX=1");
    EXPECT_EQ(job.Env("worker", 1, true), "VK_TASK_INDEX=1 VC_TASK_INDEX=1");
    EXPECT_THAT(job.Objects(), IsEmpty());
  }
}

TEST(SvcPlugin, GivesPodsNamesAndTellsThemAll) {
  const PluginJob one(R"("svc": [])", kOneTask);
  EXPECT_EQ(one.Env("worker", 0),
            "worker.host=[train-svc/worker.host] VC_WORKER_HOSTS=[train-svc/VC_WORKER_HOSTS] "
            "VC_WORKER_NUM=[train-svc/VC_WORKER_NUM]");
  EXPECT_EQ(one.Env("worker", 0, true), one.Env("worker", 0));
  const json::value pod = one.Pod("worker", 1);
  EXPECT_EQ(At(pod, "/spec/hostname"), R"("train-worker-1")");
  EXPECT_EQ(At(pod, "/spec/subdomain"), R"("train")");
  EXPECT_EQ(At(pod, "/spec/volumes"), R"([{"name":"train-svc","configMap":{"name":"train-svc"}}])");
  EXPECT_EQ(At(pod, "/spec/containers/0/volumeMounts"),
            R"([{"name":"train-svc","mountPath":"/etc/volcano"}])");
  EXPECT_EQ(At(pod, "/spec/initContainers/0/volumeMounts"),
            At(pod, "/spec/containers/0/volumeMounts"));
}

TEST(SvcPlugin, MakesAServiceAPolicyAndAListOfHosts) {
  const auto objects =
      PluginJob(R"("svc": ["--publish-not-ready-addresses"])", kThreeTasks).Objects();
  EXPECT_THAT(objects, ElementsAre(Key("ConfigMap/train-svc"), Key("NetworkPolicy/train"),
                                   Key("Service/train")));
  EXPECT_EQ(At(objects.at("ConfigMap/train-svc"), "/data"),
            R"({"master.host":"train-master-0.train","VC_MASTER_HOSTS":"train-master-0.train",)"
            R"("VC_MASTER_NUM":"1",)"
            R"("worker.host":"train-worker-0.train\ntrain-worker-1.train",)"
            R"("VC_WORKER_HOSTS":"train-worker-0.train,train-worker-1.train",)"
            R"("VC_WORKER_NUM":"2",)"
            R"("log_keeper.host":"train-log-keeper-0.train",)"
            R"("VC_LOG_KEEPER_HOSTS":"train-log-keeper-0.train","VC_LOG_KEEPER_NUM":"1"})");
  EXPECT_EQ(At(objects.at("Service/train"), "/spec"),
            R"({"clusterIP":"None","selector":{"volcano.sh/job-name":"train",)"
            R"("volcano.sh/job-namespace":"ml"},"publishNotReadyAddresses":true})");
  EXPECT_EQ(At(objects.at("NetworkPolicy/train"), "/spec"),
            R"({"podSelector":{"matchLabels":{"volcano.sh/job-name":"train",)"
            R"("volcano.sh/job-namespace":"ml"}},"ingress":[{"from":[{"podSelector":)"
            R"({"matchLabels":{"volcano.sh/job-name":"train","volcano.sh/job-namespace":"ml"}}}]}])"
            R"(,"policyTypes":["Ingress"]})");
  EXPECT_EQ(At(objects.at("Service/train"), "/metadata/ownerReferences/0/uid"), R"("u")");
  EXPECT_EQ(PluginJob(R"("svc": ["--disable-network-policy=true"])", kTwoTasks).Objects().size(),
            2u);
}

TEST(SvcPlugin, ATemplateWithAHostnameOfItsOwnIsOneHost) {
  const PluginJob job(R"("svc": [])", kOneTask, R"("hostname": "h", "subdomain": "s",)");
  EXPECT_EQ(At(job.Objects().at("ConfigMap/train-svc"), "/data"),
            R"({"worker.host":"h.s","VC_WORKER_HOSTS":"h.s","VC_WORKER_NUM":"1"})");
  EXPECT_EQ(At(job.Pod("worker", 1), "/spec/hostname"), R"("h")");
}

TEST(SshPlugin, LetsPodsLogInToEachOther) {
  const PluginJob job(R"("ssh": [])", kTwoTasks);
  const auto objects = job.Objects();
  ASSERT_THAT(objects, ElementsAre(Key("Secret/train-ssh")));
  const auto file = [&](const std::string& key) {
    const json::value& data = objects.at("Secret/train-ssh").at("data");
    return *Base64Decode(data.at(key).get_string());
  };
  EXPECT_THAT(file("id_rsa"), StartsWith("-----BEGIN RSA PRIVATE KEY-----"));
  EXPECT_THAT(file("id_rsa.pub"), StartsWith("ssh-rsa "));
  EXPECT_EQ(file("authorized_keys"), file("id_rsa.pub"));
  EXPECT_EQ(file("config"),
            "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n"
            "Host train-master-0\n  HostName train-master-0.train\n  Port 22\n"
            "Host train-worker-0\n  HostName train-worker-0.train\n  Port 22\n"
            "Host train-worker-1\n  HostName train-worker-1.train\n  Port 22\n");
  const json::value pod = job.Pod("worker", 0);
  EXPECT_EQ(At(pod, "/spec/volumes/0/secret/defaultMode"), "384");
  EXPECT_EQ(At(pod, "/spec/volumes/0/secret/items/0"), R"({"key":"id_rsa","path":".ssh/id_rsa"})");
  for (const std::string list : {"containers", "initContainers"}) {
    EXPECT_EQ(At(pod, "/spec/" + list + "/0/volumeMounts"),
              R"([{"name":"train-ssh","mountPath":"/root/.ssh","subPath":".ssh"}])");
  }
}

TEST(SshPlugin, TakesKeysAndAPathOfTheUser) {
  const PluginJob job(
      R"("ssh": ["--ssh-key-file-path=/home/me/.ssh", "--ssh-private-key=p", "--ssh-public-key=q",
                 "-ssh-port", "2022"])",
      kOneTask);
  const auto objects = job.Objects();
  EXPECT_EQ(At(objects.at("Secret/train-ssh"), "/data/id_rsa"), '"' + Base64Encode("p") + '"');
  const json::value pod = job.Pod("worker", 0);
  EXPECT_EQ(At(pod, "/spec/volumes/0/secret/defaultMode"), "420");
  EXPECT_EQ(At(pod, "/spec/containers/0/volumeMounts/0/mountPath"), R"("/home/me/.ssh")");
}

TEST(PytorchPlugin, NumbersThePodsAndNamesTheMaster) {
  const PluginJob job(R"("pytorch": [])", kThreeTasks);
  const std::string common = "MASTER_ADDR=train-master-0.train MASTER_PORT=23456 WORLD_SIZE=3";
  EXPECT_EQ(job.Env("master", 0), common + " RANK=0");
  EXPECT_EQ(job.Env("worker", 1), common + " RANK=2");
  EXPECT_EQ(job.Env("log-keeper", 0), common);
  EXPECT_EQ(At(job.Pod("worker", 0), "/spec/containers/0/ports"),
            R"([{"name":"pytorchjob-port","containerPort":23456}])");
  EXPECT_EQ(PluginJob(R"("pytorch": [])", kOneTask).Env("worker", 0), "") << "no master";
}

TEST(PytorchPlugin, WorkersWaitForTheMasterOnRequest) {
  const PluginJob job(
      R"("pytorch": ["--wait-master-enabled=true", "--port=99", "--wait-master-timeout=7"])",
      kTwoTasks);
  const json::value worker = job.Pod("worker", 0);
  EXPECT_EQ(At(worker, "/spec/initContainers/0/name"), R"("wait-for-master")");
  EXPECT_EQ(At(worker, "/spec/initContainers/0/image"), R"("busybox:1.36.1")");
  EXPECT_THAT(At(worker, "/spec/initContainers/0/command/2"),
              HasSubstr("nc -z -w 2 train-master-0.train 99"));
  EXPECT_EQ(At(job.Pod("master", 0), "/spec/initContainers/0/name"), R"("first")");
}

TEST(TensorflowPlugin, DescribesTheCluster) {
  const Tasks tasks = {{"ps", 1}, {"worker", 2}, {"chief", 1}};
  const PluginJob job(R"("tensorflow": ["--port=5000"])", tasks);
  EXPECT_EQ(job.Env("worker", 1),
            R"(TF_CONFIG={"cluster":{"ps":["train-ps-0.train:5000"],"worker":)"
            R"(["train-worker-0.train:5000","train-worker-1.train:5000"],)"
            R"("chief":["train-chief-0.train:5000"]},"task":{"type":"worker","index":1}})");
  EXPECT_EQ(PluginJob(R"("tensorflow": ["--worker=w"])", {{"w", 2}}).Env("w", 0),
            R"(TF_CONFIG={"cluster":{"worker":["train-w-0.train:2222","train-w-1.train:2222"]},)"
            R"("task":{"type":"worker","index":0}})");
  EXPECT_EQ(PluginJob(R"("tensorflow": [])", {{"worker", 1}}).Env("worker", 0), "");
}

TEST(MpiPlugin, TellsTheMasterItsWorkers) {
  const PluginJob job(R"("mpi": ["--port=2222"])", kThreeTasks);
  EXPECT_EQ(job.Env("master", 0), "MPI_HOST=train-worker-0.train,train-worker-1.train");
  EXPECT_EQ(job.Env("worker", 0), "");
  for (const std::string task : {"master", "worker", "log-keeper"}) {
    EXPECT_EQ(At(job.Pod(task, 0), "/spec/containers/0/ports"),
              R"([{"name":"mpijob-port","containerPort":2222}])");
  }
  EXPECT_EQ(PluginJob(R"("mpi": ["--master=boss", "--worker=hand"])", {{"boss", 1}, {"hand", 1}})
                .Env("boss", 0),
            "MPI_HOST=train-hand-0.train");
}

TEST(RayPlugin, StartsAHeadAndWorkersThatFindIt) {
  const PluginJob job(R"("ray": [])", {{"head", 1}, {"worker", 2}});
  const json::value head = job.Pod("head", 0);
  EXPECT_EQ(At(head, "/spec/containers/0/command"),
            R"(["sh","-c","ray start --head --block --dashboard-host=0.0.0.0 --port=6379 )"
            R"(--dashboard-port=8265 --ray-client-server-port=10001"])");
  EXPECT_EQ(At(head, "/spec/containers/0/ports"),
            R"([{"name":"gcs","containerPort":6379},{"name":"dashboard","containerPort":8265},)"
            R"({"name":"client-server","containerPort":10001}])");
  EXPECT_EQ(At(job.Pod("worker", 1), "/spec/containers/0/command"),
            R"(["sh","-c","ray start --block --address=train-head-0.train:6379"])");
  const auto objects = job.Objects();
  ASSERT_THAT(objects, ElementsAre(Key("Service/train-head-svc")));
  EXPECT_EQ(At(objects.at("Service/train-head-svc"), "/spec/selector"),
            R"({"volcano.sh/job-name":"train","volcano.sh/job-namespace":"ml",)"
            R"("volcano.sh/task-spec":"head"})");
  EXPECT_EQ(At(objects.at("Service/train-head-svc"), "/spec/ports/1"),
            R"({"name":"dashboard","port":8265,"targetPort":8265})");
}

TEST(HcclRankPlugin, NumbersThePods) {
  const auto rank = [](std::string_view plugins, const Tasks& tasks, std::string_view task,
                       int index) {
    const json::value pod = PluginJob(plugins, tasks).Pod(task, index);
    return At(pod, "/metadata/annotations/hccl~1rankIndex");
  };
  EXPECT_EQ(rank(R"("hcclrank": [])", kTwoTasks, "master", 0), R"("0")");
  EXPECT_EQ(rank(R"("hcclrank": [])", kTwoTasks, "worker", 1), R"("2")");
  EXPECT_EQ(rank(R"("hcclrank": [])", kOneTask, "worker", 1), R"("1")");
  EXPECT_EQ(rank(R"("hcclrank": [])", kThreeTasks, "log-keeper", 0), "");
  EXPECT_EQ(rank(R"("hcclrank": ["--master=worker"], "pytorch": [])", kTwoTasks, "worker", 1),
            R"("2")")
      << "the RANK that pytorch has set";
}

TEST(Plugins, WhatIsNotUnderstoodIsSaidAndTheRestHolds) {
  const PluginJob job(R"("mpi": ["--port=ssh", "--colour=red", "loose", "--master=boss"],
                         "teleport": [])",
                      {{"boss", 1}, {"worker", 1}});
  EXPECT_THAT(job.complaints(),
              ElementsAre(HasSubstr("loose"), HasSubstr("--port=ssh: expected a positive number"),
                          HasSubstr("no argument --colour"), HasSubstr("no plugin teleport")));
  EXPECT_EQ(job.Env("boss", 0), "MPI_HOST=train-worker-0.train");
  EXPECT_EQ(At(job.Pod("boss", 0), "/spec/containers/0/ports/0/containerPort"), "22");
}

}  // namespace
}  // namespace basalt::controllers
