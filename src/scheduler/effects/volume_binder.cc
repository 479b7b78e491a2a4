#include "scheduler/effects/volume_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kube/types/codec.h"
#include "kube/types/storage.h"
#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {

namespace resources = kube::resources;

struct VolumeBinder::Wait {
  std::shared_ptr<const model::Bind> bind;
  std::size_t claim = 0;  // those before it are bound
  Duration until{};
  Duration pause{};
  Done done;
};

// ---- writes

void VolumeBinder::Write(std::shared_ptr<const model::Bind> bind, Done done, std::size_t first) {
  while (first < bind->volumes.size() && bind->volumes[first].prebound) ++first;
  if (first == bind->volumes.size()) return done({});
  const model::VolumeChoice& choice = bind->volumes[first];
  const bool is_there = !choice.volume.empty();
  auto written = [this, bind, first, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
    if (!r) {
      const model::VolumeChoice& failed = bind->volumes[first];
      return done(std::unexpected(
          r.error().Wrap(fmt::format("volume of claim {}/{}", failed.ns, failed.claim))));
    }
    Write(std::move(bind), std::move(done), first + 1);
  };
  const kube::Target target =
      is_there ? kube::Target{resources::kPersistentVolumes, "", choice.volume}
               : kube::Target{resources::kPersistentVolumeClaims, choice.ns, choice.claim};
  client_.Patch(target, kube::PatchKind::kMerge,
                is_there ? VolumeForClaimPatch(choice) : SelectedNodePatch(choice, bind->node),
                scope_.Guard(std::move(written)));
}

// ---- and what follows

void VolumeBinder::WaitUntilBound(std::shared_ptr<const model::Bind> bind, Done done) {
  Look(std::make_shared<Wait>(Wait{.bind = std::move(bind),
                                   .until = client_.loop().Monotonic() + options_.timeout,
                                   .pause = options_.first_look,
                                   .done = std::move(done)}));
}

void VolumeBinder::Look(std::shared_ptr<Wait> wait) {
  if (wait->claim == wait->bind->volumes.size()) return wait->done({});
  const model::VolumeChoice& choice = wait->bind->volumes[wait->claim];
  auto answered = [this, wait](Result<kube::ApiResponse> r) {
    const model::VolumeChoice& chosen = wait->bind->volumes[wait->claim];
    const std::string name = chosen.ns + "/" + chosen.claim;
    const auto fail = [&](std::string why) {
      wait->done(Fail(ErrorCode::kUnavailable, fmt::format("claim {}: {}", name, why)));
    };
    if (!r && r.error().code == ErrorCode::kNotFound) return fail("it is gone");
    if (r) {
      const auto claim = kube::Decode<kube::PersistentVolumeClaim>(r->body);
      if (!claim || claim->meta.uid != chosen.claim_uid) return fail("it is gone");
      if (claim->phase == kube::PersistentVolumeClaim::Phase::kBound) {
        ++wait->claim;
        return Look(wait);
      }
      const bool provisioned = chosen.volume.empty();
      if (provisioned &&
          claim->meta.annotations.Find(kSelectedNodeAnnotation) != wait->bind->node) {
        return fail("its provisioner could not make a volume for the node");
      }
    }
    if (client_.loop().Monotonic() >= wait->until) return fail("it was not bound in time");
    client_.loop().Schedule(wait->pause, scope_.Guard([this, wait] { Look(wait); }));
    wait->pause = std::min(options_.most_between_looks, 2 * wait->pause);
  };
  client_.Get({resources::kPersistentVolumeClaims, choice.ns, choice.claim},
              scope_.Guard(std::move(answered)));
}

}  // namespace basalt::scheduler
