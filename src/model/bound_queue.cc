#include "model/bound_queue.h"

#include "model/annotations.h"

namespace basalt::model {
namespace {

constexpr std::string_view kPurpose = "queue";
// More than any queue's name and its tag: longer text is not worth a hash.
constexpr std::size_t kLongest = 512;

}  // namespace

std::string SealBoundQueue(const Signer& signer, const kube::Pod& pod, std::string_view queue) {
  return Seal(signer, kPurpose, pod.meta.uid, queue);
}

std::optional<BoundQueue> ReadBoundQueue(const Signer* signer, const kube::Pod& pod) {
  const auto text = pod.meta.annotations.Find(annotations::kBoundQueue);
  if (!text || text->empty()) return std::nullopt;
  if (text->size() <= kLongest) {
    if (signer) {
      const auto name = Unseal(*signer, kPurpose, pod.meta.uid, *text);
      if (name && !name->empty()) return BoundQueue{.name = *name, .genuine = true};
    }
    if (const auto name = SealedContent(*text)) return BoundQueue{.name = *name};
  }
  return BoundQueue{};
}

}  // namespace basalt::model
