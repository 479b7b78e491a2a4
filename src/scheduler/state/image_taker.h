#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scheduler/state/cluster_state.h"
#include "scheduler/state/state_image.h"

namespace basalt::scheduler {

// Takes an image of a state that goes on changing, a part at a time: tasks, jobs and nodes, of
// which there are many, are copied early, and those that have changed since are copied once more at
// the end, together with all the rest. Then the image is of that moment, and no single step took
// long.
//
//   cluster.NoteChanges();
//   while (!taker.Copy(4096)) …;                      // other work in between
//   StateImage image = taker.Finish(cluster.TakeNoted());
//
// On the thread of the state, which outlives it.
class ImageTaker {
 public:
  explicit ImageTaker(const ClusterState& state) : state_(state) {}
  ImageTaker(const ImageTaker&) = delete;
  ImageTaker& operator=(const ImageTaker&) = delete;

  // Copies so many more slots at most. true: there are no more.
  bool Copy(std::uint32_t most);
  // The image of the state as it is now. Once.
  StateImage Finish(const model::Cluster::Noted& changed);

 private:
  // Where in a list of images each slot's image is. Lists have no gaps, so that readers need not
  // skip any.
  class Places {
   public:
    // The slot's image in the list, added where it has none; not wanted: taken out, and nullptr.
    template <class Image>
    Image* Place(std::vector<Image>& images, std::uint32_t slot, bool wanted) {
      if (slot >= at_.size()) at_.resize(slot + 1, kNowhere);
      std::uint32_t& at = at_[slot];
      if (wanted && at != kNowhere) return &images[at];
      if (wanted) {
        at = static_cast<std::uint32_t>(images.size());
        return &images.emplace_back();
      }
      if (at == kNowhere) return nullptr;
      at_[images.back().id.index()] = at;
      std::swap(images[at], images.back());
      images.pop_back();
      at_[slot] = kNowhere;
      return nullptr;
    }

   private:
    static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
    std::vector<std::uint32_t> at_;  // by slot
  };
  void CopyTask(std::uint32_t slot);
  void CopyJob(std::uint32_t slot);
  void CopyNode(std::uint32_t slot);

  const ClusterState& state_;
  StateImage image_;
  Places tasks_, jobs_, nodes_;
  std::uint32_t next_task_ = 0, next_job_ = 0, next_node_ = 0;
};

}  // namespace basalt::scheduler
