#include "scheduler/effects/eviction_writer.h"

#include <fmt/core.h>

#include <utility>

#include "kube/types/codec.h"
#include "kube/types/reasons.h"
#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {

void EvictionWriter::Write(model::Evict evict) {
  if (writing_.stopped) return;
  auto shared = std::make_shared<const model::Evict>(std::move(evict));
  writing_.lanes.Add(
      Lane::kEvict, shared->pod->meta.uid,
      [this, shared](WriteLanes::Done done) { Send(shared, std::move(done)); },
      shared->pod->meta.ns);
}

void EvictionWriter::Send(const EvictPtr& evict, WriteLanes::Done done) {
  auto answered = [this, evict,
                   done = std::move(done)](const Result<kube::ApiResponse>& r) mutable {
    const bool lost = !r && r.error().http_status == 0 && r.error().code != ErrorCode::kCancelled;
    if (lost) return Confirm(evict, r.error(), std::move(done));
    Result<void> result = Succeeded(r);
    // Gone already is as good.
    if (!result && result.error().code == ErrorCode::kNotFound) result = {};
    Ended(*evict, std::move(result));
    done();
  };
  // A disruption budget that says no is an answer, not a reason to insist.
  const kube::CallOptions once{.retry = false};
  const kube::Pod& pod = *evict->pod;
  if (deletes_) {
    writing_.client.Delete(PodTarget(pod), {.uid = pod.meta.uid}, scope_.Guard(std::move(answered)),
                           once);
  } else {
    writing_.client.Create(PodTarget(pod, "eviction"), EvictionBody(pod),
                           scope_.Guard(std::move(answered)), once);
  }
}

void EvictionWriter::Confirm(const EvictPtr& evict, Error error, WriteLanes::Done done) {
  auto answered = [this, evict, error = std::move(error),
                   done = std::move(done)](const Result<kube::ApiResponse>& r) mutable {
    bool leaves = !r && r.error().code == ErrorCode::kNotFound;
    if (r) {
      const Result<kube::Pod> pod = kube::Decode<kube::Pod>(r->body);
      leaves = pod && (pod->meta.uid != evict->pod->meta.uid || pod->meta.deleting());
    }
    Ended(*evict, leaves ? Result<void>() : Result<void>(std::unexpected(std::move(error))));
    done();
  };
  writing_.client.Get(PodTarget(*evict->pod), scope_.Guard(std::move(answered)));
}

void EvictionWriter::Ended(const model::Evict& evict, Result<void> result) {
  if (result) {
    writing_.events.Record(
        kube::ReferenceTo(*evict.pod), kube::EventType::kNormal, reasons::kEvicted,
        evict.beneficiary.empty()
            ? fmt::format("evicted by {}", evict.reason)
            : fmt::format("evicted by {} for {}", evict.reason, evict.beneficiary));
  }
  writing_.Report(model::Outcome::Kind::kEvict, evict.task, *evict.pod, std::move(result));
}

void EvictionWriter::CallOff(std::vector<model::Evict> evictions, Error why) {
  if (evictions.empty()) return;
  auto shared = std::make_shared<std::vector<model::Evict>>(std::move(evictions));
  writing_.loop().Schedule(Duration::zero(), scope_.Guard([this, shared, why = std::move(why)] {
    for (const model::Evict& evict : *shared) {
      writing_.Report(model::Outcome::Kind::kEvict, evict.task, *evict.pod, std::unexpected(why));
    }
  }));
}

}  // namespace basalt::scheduler
