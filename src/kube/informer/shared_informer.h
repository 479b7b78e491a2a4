#pragma once

#include <utility>
#include <vector>

#include "kube/informer/informer.h"

namespace basalt::kube {

// One informer for several consumers: each is told of every change, in the order in which they
// joined, when the store has it. The consumers share it and live as long as it does. Loop thread
// only.
template <class T>
class SharedInformer {
 public:
  explicit SharedInformer(Client& client, ReflectorOptions options = {})
      : informer_(
            client,
            [this](const InformerEvent<T>& event) {
              for (const typename Informer<T>::Consumer& consumer : consumers_) consumer(event);
            },
            std::move(options)) {}

  // Before Start.
  void Join(typename Informer<T>::Consumer consumer) { consumers_.push_back(std::move(consumer)); }
  void AddIndex(std::string name, std::function<std::vector<std::string>(const T&)> keys_of) {
    informer_.AddIndex(std::move(name), std::move(keys_of));
  }
  // Each consumer calls it; the first one starts it.
  void Start() {
    if (!std::exchange(started_, true)) informer_.Start();
  }
  bool HasSynced() const { return informer_.HasSynced(); }
  const Store<T>& store() const { return informer_.store(); }

 private:
  std::vector<typename Informer<T>::Consumer> consumers_;
  bool started_ = false;
  Informer<T> informer_;
};

}  // namespace basalt::kube
