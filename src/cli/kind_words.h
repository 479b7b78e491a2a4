#pragma once

#include <string_view>

#include "kube/types/resource.h"

// Kinds by the words that people type for them: kubectl's, short and in the plural too.
namespace basalt::cli {

struct KindWord {
  std::string_view word;        // "deployment"
  std::string_view short_name;  // "deploy"
  const kube::Resource* resource;
  bool workload = false;  // of Kubernetes: what it has are pods, by a selector
};

// Whatever the case of its letters. nullptr: it is none of ours.
const KindWord* FindKind(std::string_view typed);

// What `reservation create --for` takes: pods and what makes them. A job is one of Kubernetes
// there: those of batch.volcano.sh have several templates. nullptr: it does not take the kind.
const kube::Resource* ReservableKind(std::string_view typed);

}  // namespace basalt::cli
