#include "controllers/hypernode/hypernode_controller.h"

#include <fmt/format.h>

#include "controllers/hypernode/member_count.h"

namespace basalt::controllers {
namespace {

constexpr Duration kGather = 500ms;

}  // namespace

HyperNodeController::HyperNodeController(kube::Client& client)
    : client_(client),
      hyper_nodes_(client, [this](const auto&) { CountAgain(); }),
      nodes_(client,
             [this](const kube::InformerEvent<kube::Node>& event) {
               // Heartbeats change neither names nor labels.
               if (event.old_object && event.object &&
                   event.old_object->meta.labels == event.object->meta.labels) {
                 return;
               }
               CountAgain();
             }),
      recount_(client.loop()),
      work_(client.loop(), {}, [this](const std::string& name, WorkQueue::Done done) {
        Write(name, std::move(done));
      }) {}

void HyperNodeController::Start() {
  hyper_nodes_.Start();
  nodes_.Start();
}

void HyperNodeController::CountAgain() {
  if (HasSynced() && !recount_.running()) recount_.Start(kGather, [this] { CountAll(); });
}

void HyperNodeController::CountAll() {
  for (const auto& hyper_node : hyper_nodes_.store().Sorted()) work_.Add(hyper_node->meta.name);
}

void HyperNodeController::Write(const std::string& name, WorkQueue::Done done) {
  const auto hyper_node = hyper_nodes_.store().Find("", name);
  if (!hyper_node) return done(true);
  const std::int64_t count =
      CountNodes(*hyper_node, hyper_nodes_.store().Sorted(), nodes_.store().Sorted());
  if (count == hyper_node->node_count) return done(true);
  auto finish = std::make_shared<WorkQueue::Done>(std::move(done));
  client_.Patch({kube::resources::kHyperNodes, "", name, "status"}, kube::PatchKind::kMerge,
                fmt::format(R"({{"metadata": {{"uid": "{}"}}, "status": {{"nodeCount": {}}}}})",
                            hyper_node->meta.uid, count),
                scope_.Guard([finish](const Result<kube::ApiResponse>& result) {
                  (*finish)(result || result.error().code == ErrorCode::kNotFound ||
                            result.error().code == ErrorCode::kConflict);
                }));
}

}  // namespace basalt::controllers
