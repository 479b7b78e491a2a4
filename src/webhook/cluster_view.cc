#include "webhook/cluster_view.h"

#include <utility>

namespace basalt::webhook {

ClusterView::ClusterView(kube::Client& client, std::function<void()> on_change)
    : on_change_(std::move(on_change)),
      queues_(client,
              [this](kube::InformerEvent<kube::Queue> event) {
                if (event.object) {
                  snapshot_.PutQueue(event.object);
                } else if (event.old_object) {
                  snapshot_.DropQueue(event.old_object->meta.name);
                }
                on_change_();
              }),
      groups_(client,
              [this](kube::InformerEvent<kube::PodGroup> event) {
                if (event.object) {
                  snapshot_.PutGroup(*event.object);
                } else if (event.old_object) {
                  snapshot_.DropGroup(event.old_object->meta.Key());
                }
                on_change_();
              }),
      namespaces_(client, [this](kube::InformerEvent<kube::Namespace> event) {
        if (event.object) {
          snapshot_.PutNamespace(*event.object);
        } else if (event.old_object) {
          snapshot_.DropNamespace(event.old_object->meta.name);
        }
        on_change_();
      }) {}

void ClusterView::Start() {
  queues_.Start();
  groups_.Start();
  namespaces_.Start();
}

bool ClusterView::HasSynced() const {
  return queues_.HasSynced() && groups_.HasSynced() && namespaces_.HasSynced();
}

}  // namespace basalt::webhook
