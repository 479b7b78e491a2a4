#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kube/informer/informer.h"

namespace basalt::kube {

// One informer for each of some kinds, started together and told apart by type. Owned by its
// consumer; loop thread only.
template <class... Kinds>
class InformerSet {
 public:
  // `consume` takes an InformerEvent of each of the kinds.
  template <class Consume>
  InformerSet(Client& client, Consume consume)
      : informers_(std::make_unique<Informer<Kinds>>(client, consume, OptionsOf<Kinds>())...) {}

  void Start() { (std::get<Ptr<Kinds>>(informers_)->Start(), ...); }
  void Stop() { (std::get<Ptr<Kinds>>(informers_)->Stop(), ...); }
  bool HasSynced() const { return (std::get<Ptr<Kinds>>(informers_)->HasSynced() && ...); }

  // `handle` is told of objects that cannot be read: its kind, which one, and why.
  template <class Handle>
  void OnBadItem(Handle handle) {
    (std::get<Ptr<Kinds>>(informers_)
         ->OnBadItem([handle](const ItemIdentity& item, const Error& error) {
           handle(KindTraits<Kinds>::resource, item, error);
         }),
     ...);
  }

  template <class T>
  const Informer<T>& Of() const {
    return *std::get<Ptr<T>>(informers_);
  }
  // For indexes.
  template <class T>
  Informer<T>& Of() {
    return *std::get<Ptr<T>>(informers_);
  }
  // Everything that is known now, kind by kind in their order and sorted in each, as if it came in.
  template <class Visit>
  void ForEach(Visit visit) const {
    (ForEachOf<Kinds>(visit), ...);
  }

 private:
  template <class T>
  using Ptr = std::unique_ptr<Informer<T>>;

  // A cluster that has kept another scheduler's kinds may lack those that are ours alone.
  template <class T>
  static ReflectorOptions OptionsOf() {
    return {.may_be_missing = std::is_same_v<T, Reservation>};
  }

  template <class T, class Visit>
  void ForEachOf(Visit& visit) const {
    for (std::shared_ptr<const T>& object : Of<T>().store().Sorted()) visit(std::move(object));
  }

  std::tuple<Ptr<Kinds>...> informers_;
};

}  // namespace basalt::kube
