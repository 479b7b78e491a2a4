#include "tests/descheduler/descheduler_cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "descheduler/migration/plan_ids.h"
#include "descheduler/policy/policy.h"

namespace basalt::systemtest {

namespace resources = kube::resources;
using testutil::MakeNode;
using testutil::MakeObject;
using testutil::TextAt;

std::string PolicyOf(std::string_view more_args, std::string_view evictor_args) {
  std::string text = R"(apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: default
  pluginConfig:
  - name: Defragmentation
    args:
      lowThresholds: {cpu: 40}
      defragmentThresholds: {cpu: 60}
      protectionThresholds: {cpu: 95}
      packUnderused: true
      migrateTimeout: 30s
)";
  text += more_args;
  if (!evictor_args.empty()) {
    text += "  - name: DefaultEvictor\n    args:\n" + std::string(evictor_args);
  }
  text += "  plugins:\n    balance:\n      enabled: [Defragmentation]\n";
  return text;
}

// ---- what must never be

namespace {

std::string ControllerUid(const kube::Pod& pod) {
  const kube::OwnerReference* controller = pod.meta.Controller();
  return controller ? controller->uid : "";
}

std::string OwnerUid(const kube::Reservation& reservation) {
  if (reservation.owners.empty() || !reservation.owners[0].object) return "";
  return reservation.owners[0].object->uid;
}

}  // namespace

MigrationWatch::MigrationWatch(Loop& loop, apiserver::Server& server)
    : loop_(loop),
      network_(loop, server),
      api_(network_),
      client_(api_),
      reservations_(client_, [this](const auto& event) { OnReservation(event); }),
      pods_(client_, [this](const auto& event) { OnPod(event); }) {
  reservations_.Start();
  pods_.Start();
}

void MigrationWatch::OnReservation(const kube::InformerEvent<kube::Reservation>& event) {
  const kube::Reservation* object = event.object ? event.object.get() : event.old_object.get();
  if (!object) return;
  const auto pod = object->meta.labels.Find(descheduler::kMigratingPodLabel);
  if (!pod) return;
  const std::string controller = OwnerUid(*object);
  const auto phase = object->status.phase;
  const bool was_taken =
      event.old_object && event.old_object->status.phase == kube::ReservationPhase::kSucceeded;
  if (event.object && phase == kube::ReservationPhase::kSucceeded && !was_taken) {
    if (away_[controller] > 0) --away_[controller];
  }
  const bool held = event.object && phase == kube::ReservationPhase::kAvailable;
  if (held) held_[controller].insert(object->meta.name);
  if (!held) held_[controller].erase(object->meta.name);
  named_[std::string(*pod)] = object->meta.name;
}

void MigrationWatch::OnPod(const kube::InformerEvent<kube::Pod>& event) {
  const bool leaves = event.object && event.object->meta.deleting() && event.old_object &&
                      !event.old_object->meta.deleting();
  // One that is forced, or has no grace, is simply gone.
  const bool gone = !event.object && event.old_object && !event.old_object->meta.deleting();
  if (leaves || gone) {
    const kube::Pod& pod = *event.old_object;
    const std::string controller = ControllerUid(pod);
    if (named_.contains(pod.meta.uid) && !spared_.contains(pod.meta.name)) {
      ++evictions_;
      ++away_[controller];
      if (static_cast<int>(held_[controller].size()) < away_[controller]) {
        violations_ += fmt::format(
            "{} s: pod {} goes, {} of its controller are away, {} places are held\n",
            loop_.Monotonic() / 1s, pod.meta.name, away_[controller], held_[controller].size());
      }
    }
  }
  if (!least_.empty()) CheckBudgets();
}

void MigrationWatch::CheckBudgets() {
  std::map<std::string, int> running;
  pods_.store().ForEach([&](const kube::Pod& pod) {
    if (pod.meta.deleting() || pod.status.phase != kube::PodPhase::kRunning) return;
    ++running[std::string(pod.meta.labels.Find("app").value_or(""))];
  });
  for (const auto& [app, least] : least_) {
    if (running[app] >= least) continue;
    violations_ += fmt::format("{} s: only {} of {} pods of {} run\n", loop_.Monotonic() / 1s,
                               running[app], least, app);
  }
}

// ---- the cluster

DeschedulerCluster::DeschedulerProcess::DeschedulerProcess(DeschedulerCluster& owner,
                                                           std::optional<testutil::Death> death)
    : api(owner.cluster_.network()),
      writes(api, death, [&owner] { owner.descheduler_died_ = true; }),
      client(writes),
      service(owner.cluster_.loop(), client, [&] {
        descheduler::DeschedulerServiceOptions options;
        options.state.scheduler_names = {"volcano"};
        options.triggers = owner.options_.triggers;
        options.metrics = &owner.metrics_;
        options.random_name = [&owner] { return fmt::format("plan{:06}", ++owner.plans_); };
        return options;
      }()) {
  auto policy = descheduler::ParsePolicy(owner.options_.policy);
  EXPECT_TRUE(policy) << policy.error();
  BASALT_CHECK(policy.has_value());
  service.SetPlanning(std::make_shared<descheduler::PolicyPlanning>(
      std::move(*policy), std::vector<std::string>{"volcano"}));
  service.Start();
}

DeschedulerCluster::DeschedulerCluster(Options options)
    : options_(std::move(options)),
      cluster_({.seed = options_.seed, .faults = {}, .server = {}}),
      clean_network_(cluster_.loop(), cluster_.server()),
      clean_api_(clean_network_),
      clean_client_(clean_api_),
      nodes_(clean_client_),
      watch_(cluster_.loop(), cluster_.server()) {
  nodes_.Start();
}

DeschedulerCluster::~DeschedulerCluster() = default;

void DeschedulerCluster::AddNode(const std::string& name, const std::string& cpu) {
  cluster_.Create(MakeNode(name).Cpu(cpu));
}

void DeschedulerCluster::AddPods(const std::string& app, const std::string& cpu,
                                 const std::vector<std::string>& nodes,
                                 const std::function<void(testutil::PodBuilder&)>& change) {
  testutil::PodBuilder pod = testutil::MakePod("x").Cpu(cpu).Label("app", app);
  if (change) change(pod);
  json::object meta = pod.Json().at("metadata").as_object();
  meta.erase("name");
  meta.erase("namespace");
  const json::value set = cluster_.Create(
      MakeObject(resources::kReplicaSets, app)
          .Set("spec.replicas", nodes.size())
          .Set("spec.selector", json::object{{"matchLabels", json::object{{"app", app}}}})
          .Set("spec.template",
               json::object{{"metadata", std::move(meta)}, {"spec", pod.Json().at("spec")}}));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    testutil::PodBuilder made = pod;
    made.Set("metadata.name", fmt::format("{}-{}", app, i))
        .Owner(resources::kReplicaSets, app, TextAt(set, "metadata.uid"))
        .Node(nodes[i]);
    cluster_.Create(made);
  }
}

void DeschedulerCluster::AddGang(const std::string& name, int pods, const std::string& cpu,
                                 int min_member) {
  cluster_.Create(testutil::MakePodGroup(name, min_member > 0 ? min_member : pods));
  for (int i = 0; i < pods; ++i) {
    cluster_.Create(
        testutil::MakePod(fmt::format("{}-{}", name, i)).Cpu(cpu).Group(name).Label("app", name));
  }
}

void DeschedulerCluster::AddBudget(const std::string& app, int min_available) {
  cluster_.Create(
      MakeObject(resources::kPodDisruptionBudgets, app)
          .Set("spec.minAvailable", min_available)
          .Set("spec.selector", json::object{{"matchLabels", json::object{{"app", app}}}}));
}

void DeschedulerCluster::Start() {
  cluster_.loop().RunFor(2s);  // what was put on nodes runs
  workloads_ = std::make_unique<workloads::Workloads>(clean_client_);
  workloads_->Start();
  StartScheduler(options_.scheduler_death);
  cluster_.loop().RunFor(3s);
  cluster_.network().set_plan(options_.faults);
  StartDescheduler(options_.descheduler_death);
  Run(2s);
}

void DeschedulerCluster::StartDescheduler(std::optional<testutil::Death> death) {
  descheduler_.reset();
  descheduler_died_ = false;
  descheduler_ = std::make_unique<DeschedulerProcess>(*this, death);
}

void DeschedulerCluster::StartScheduler(std::optional<testutil::Death> death) {
  scheduler_.reset();
  scheduler_died_ = false;
  scheduler::SchedulerServiceOptions options;
  options.scheduler.state.scheduler_names = {"volcano"};
  scheduler_ = std::make_unique<testutil::SchedulerProcess>(cluster_.network(), std::move(options),
                                                            options_.scheduler_config, death,
                                                            [this] { scheduler_died_ = true; });
}

void DeschedulerCluster::Run(Duration duration) {
  constexpr Duration kStep = 500ms;
  for (Duration ran{0}; ran < duration; ran += kStep) {
    cluster_.loop().RunFor(kStep);
    if (descheduler_died_) {
      ++deaths_;
      StartDescheduler();
    }
    if (scheduler_died_) {
      ++deaths_;
      StartScheduler();
    }
  }
}

Plan DeschedulerCluster::Begin(const descheduler::RunRequest& request) {
  const Result<Plan> plan = service().Begin(request);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *plan : Plan{};
}

Plan DeschedulerCluster::RunPlan(const descheduler::RunRequest& request, Duration most) {
  const Plan begun = Begin(request);
  for (Duration ran{0}; ran < most; ran += 1s) {
    Run(1s);
    const std::optional<Plan> now = service().Find(begun.id);
    if (!now) break;  // it died
    if (now->state != descheduler::PlanState::kRunning) return *now;
  }
  return begun;
}

std::string DeschedulerCluster::NodeOf(const std::string& pod) {
  return TextAt(cluster_.Get(resources::kPods, "default", pod), "spec.nodeName");
}

std::map<std::string, int> DeschedulerCluster::NodesOf(const std::string& app) {
  std::map<std::string, int> nodes;
  for (const json::value& pod : cluster_.List(resources::kPods, "default")) {
    if (TextAt(pod, "metadata.labels.app") != app || TextAt(pod, "status.phase") != "Running" ||
        !TextAt(pod, "metadata.deletionTimestamp").empty()) {
      continue;
    }
    ++nodes[TextAt(pod, "spec.nodeName")];
  }
  return nodes;
}

int DeschedulerCluster::Running(const std::string& app) {
  int count = 0;
  for (const auto& [node, pods] : NodesOf(app)) count += pods;
  return count;
}

std::string DeschedulerCluster::Metrics() {
  service().CollectMetrics();
  return metrics_.Text();
}

std::string DeschedulerCluster::Leftovers() {
  std::string left;
  for (const json::value& reservation : cluster_.List(resources::kReservations)) {
    left += TextAt(reservation, "metadata.name") + " ";
  }
  for (const json::value& node : cluster_.List(resources::kNodes)) {
    const json::value* taints = testutil::FindPath(node, "spec.taints");
    if (!taints) continue;
    for (const json::value& taint : taints->as_array()) {
      if (TextAt(taint, "key") == descheduler::kSourceTaint) {
        left += TextAt(node, "metadata.name") + " ";
      }
    }
  }
  return left;
}

}  // namespace basalt::systemtest
