#include "controllers/queue/queue_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>
#include <vector>

#include "model/builtin_queues.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

constexpr std::string_view kByQueue = "queue";
constexpr std::string_view kByParent = "parent";

bool IsForQueue(const kube::Command& command) {
  return command.target && command.target->kind == "Queue" &&
         command.target->api_version.starts_with("scheduling.volcano.sh/");
}

// A step that failed, unless what it was about is gone.
auto FailingJoin(const AsyncJoin& join) {
  return [join](const Result<kube::ApiResponse>& result) {
    if (!result && result.error().code != ErrorCode::kNotFound) join.Fail();
  };
}

}  // namespace

QueueController::QueueController(kube::Client& client, kube::EventRecorder& events,
                                 QueueControllerOptions options)
    : client_(client),
      events_(events),
      options_(std::move(options)),
      queues_(client, [this](const auto& event) { OnQueue(event); }),
      groups_(client, [this](const auto& event) { OnGroup(event); }),
      commands_(client, [this](const auto& event) { OnCommand(event); }),
      work_(client.loop(), {},
            [this](const std::string& name, WorkQueue::Done done) {
              Reconcile(name, std::move(done));
            }),
      // One at a time, so that commands are obeyed in the order in which they came.
      command_work_(
          client.loop(), {.parallel = 1},
          [this](const std::string& key, WorkQueue::Done done) { Obey(key, std::move(done)); }) {
  groups_.AddIndex(std::string(kByQueue),
                   [this](const kube::PodGroup& group) { return std::vector{QueueOf(group)}; });
  queues_.AddIndex(std::string(kByParent), [](const kube::Queue& queue) {
    return std::vector{std::string(ParentOf(queue))};
  });
}

void QueueController::Start() {
  queues_.Start();
  groups_.Start();
  commands_.Start();
}

bool QueueController::HasSynced() const {
  return queues_.HasSynced() && groups_.HasSynced() && commands_.HasSynced();
}

// ---- what happens, and which queues that concerns

void QueueController::OnQueue(const kube::InformerEvent<kube::Queue>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::Queue& queue = event.object ? *event.object : *event.old_object;
  work_.Add(queue.meta.name);
  // A parent may be waiting for its last child to go, or to be told of another.
  for (const auto& version : {event.old_object, event.object}) {
    if (version && !ParentOf(*version).empty()) work_.Add(std::string(ParentOf(*version)));
  }
  const bool state_changed =
      !event.old_object || !event.object || event.old_object->state != event.object->state;
  if (!state_changed) return;
  for (const QueuePtr& child : queues_.store().FindByIndex(kByParent, queue.meta.name)) {
    work_.Add(child->meta.name);
  }
}

void QueueController::OnGroup(const kube::InformerEvent<kube::PodGroup>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  // Only the first and the last of a queue matter, and one that moves.
  const std::string before = event.old_object ? QueueOf(*event.old_object) : "";
  const std::string after = event.object ? QueueOf(*event.object) : "";
  if (before == after) return;
  if (!before.empty()) work_.Add(before);
  if (!after.empty()) work_.Add(after);
}

void QueueController::OnCommand(const kube::InformerEvent<kube::Command>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  if (event.object && IsForQueue(*event.object)) command_work_.Add(event.object->meta.Key());
}

void QueueController::LookAtAll() {
  if (!HasSynced()) return;
  work_.Add(std::string(kRootQueue));
  work_.Add(options_.default_queue);
  for (const QueuePtr& queue : queues_.store().Sorted()) work_.Add(queue->meta.name);
  std::vector<std::shared_ptr<const kube::Command>> commands = commands_.store().Sorted();
  std::ranges::stable_sort(commands, {},
                           [](const auto& command) { return command->meta.creation_timestamp; });
  for (const auto& command : commands) {
    if (IsForQueue(*command)) command_work_.Add(command->meta.Key());
  }
}

// ---- one queue

void QueueController::Reconcile(const std::string& name, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const AsyncJoin join(std::move(done));
  const QueuePtr queue = queues_.store().Find("", name);
  if (!queue) {
    if (IsBuiltIn(name)) MakeQueue(name, join);
    return;
  }
  const QueueFacts facts = FactsOf(*queue);
  // It goes by the version that is known; a state that was written before would be another.
  CompleteObject(facts, join);
  Write(*queue, SettleQueue(facts), join);
}

void QueueController::MakeQueue(const std::string& name, const AsyncJoin& join) {
  client_.Create({resources::kQueues}, model::BuiltinQueueBody(name),
                 scope_.Guard([join](const Result<kube::ApiResponse>& result) {
                   if (!result && result.error().code != ErrorCode::kAlreadyExists) join.Fail();
                 }));
}

void QueueController::Write(const kube::Queue& queue, const QueueChange& change,
                            const AsyncJoin& join) {
  const std::string& name = queue.meta.name;
  if (change.closed_by_parent) {
    const json::object patch{
        {"metadata", json::object{{"uid", queue.meta.uid},
                                  {"annotations",
                                   json::object{{kClosedByParent,
                                                 *change.closed_by_parent ? "true" : "false"}}}}}};
    client_.Patch({resources::kQueues, "", name}, kube::PatchKind::kMerge, json::serialize(patch),
                  scope_.Guard(FailingJoin(join)));
  }
  if (change.state) {
    // No resourceVersion: the scheduler writes the counts beside it all the time.
    const json::object patch{{"metadata", json::object{{"uid", queue.meta.uid}}},
                             {"status", json::object{{"state", kube::ToString(*change.state)}}}};
    client_.Patch({resources::kQueues, "", name, "status"}, kube::PatchKind::kMerge,
                  json::serialize(patch), scope_.Guard(FailingJoin(join)));
  }
}

void QueueController::CompleteObject(const QueueFacts& facts, const AsyncJoin& join) {
  const kube::Queue& queue = *facts.queue;
  json::object patch;
  const bool is_protected = queue.meta.HasFinalizer(kQueueProtection);
  const bool needs_it = !queue.meta.deleting() || facts.has_jobs || HasChildren(queue);
  // A finalizer can only be added to what is not being deleted.
  if (is_protected != needs_it && (is_protected || !queue.meta.deleting())) {
    json::array finalizers;
    for (const std::string& finalizer : queue.meta.finalizers) {
      if (finalizer != kQueueProtection) finalizers.push_back(json::value(finalizer));
    }
    if (needs_it) finalizers.push_back(json::value(kQueueProtection));
    patch["metadata"] = json::object{{"uid", queue.meta.uid},
                                     {"resourceVersion", queue.meta.resource_version},
                                     {"finalizers", std::move(finalizers)}};
  }
  if (queue.meta.name != kRootQueue && queue.parent.empty() && !queue.meta.deleting()) {
    patch["spec"] = json::object{{"parent", kRootQueue}};
  }
  if (patch.empty()) return;
  client_.Patch({resources::kQueues, "", queue.meta.name}, kube::PatchKind::kMerge,
                json::serialize(patch), scope_.Guard(FailingJoin(join)));
}

// ---- commands

void QueueController::Obey(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const auto command = commands_.store().Find(std::string_view(key).substr(0, slash),
                                              std::string_view(key).substr(slash + 1));
  if (!command || command->meta.deleting()) return done(true);
  const AsyncJoin join(std::move(done));
  // Gone, or another one of that name: nothing to be done for it.
  const QueuePtr queue = queues_.store().Find("", command->target->name);
  if (!queue || (!command->target->uid.empty() && command->target->uid != queue->meta.uid)) {
    return DropCommand(*command, join);
  }
  const auto complain = [&](const std::string& why) {
    events_.Record(kube::ReferenceTo(*queue), kube::EventType::kWarning, command->action, why);
    DropCommand(*command, join);
  };
  const std::optional<QueueAction> action = ParseQueueAction(command->action);
  if (!action) {
    return complain(
        fmt::format("{} is no action of queues: use OpenQueue or CloseQueue", command->action));
  }
  const Result<QueueChange> change = ActOnQueue(FactsOf(*queue), *action);
  if (!change) return complain(change.error().message);
  // The command goes when it has been obeyed, so that it outlives a crash in between.
  const AsyncJoin written(scope_.Guard([this, command, join](bool ok) {
    if (!ok) return join.Fail();
    DropCommand(*command, join);
  }));
  if (!change->empty()) {
    events_.Record(kube::ReferenceTo(*queue), kube::EventType::kNormal, command->action,
                   fmt::format("{} by command {}", command->action, command->meta.name));
  }
  Write(*queue, *change, written);
}

void QueueController::DropCommand(const kube::Command& command, const AsyncJoin& join) {
  client_.Delete({resources::kCommands, command.meta.ns, command.meta.name},
                 {.uid = command.meta.uid}, scope_.Guard(FailingJoin(join)));
}

// ---- questions

std::string QueueController::QueueOf(const kube::PodGroup& group) const {
  return group.queue.empty() ? options_.default_queue : group.queue;
}

bool QueueController::IsBuiltIn(std::string_view name) const {
  return name == kRootQueue || name == options_.default_queue;
}

QueueFacts QueueController::FactsOf(const kube::Queue& queue) const {
  QueueFacts facts{.queue = &queue};
  if (const std::string_view parent = ParentOf(queue); !parent.empty()) {
    facts.parent = queues_.store().Find("", parent).get();  // the store keeps it
  }
  facts.has_jobs = groups_.store().CountByIndex(kByQueue, queue.meta.name) > 0 ||
                   queue.pending + queue.inqueue + queue.running + queue.unknown > 0;
  return facts;
}

bool QueueController::HasChildren(const kube::Queue& queue) const {
  return queues_.store().CountByIndex(kByParent, queue.meta.name) > 0;
}

}  // namespace basalt::controllers
