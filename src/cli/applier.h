#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "cli/manifests.h"
#include "kube/client/client.h"

namespace basalt::cli {

// Creates objects of any kind one after the other, in their order; what is there already is patched
// to match. Finds where a kind is served by asking the server, again for a while when it does not
// know it yet (a CRD needs a moment). Owned by `up`; the client must outlive it. Loop thread only.
class Applier {
 public:
  // The first error, which names the object's origin, or nothing.
  using Done = std::move_only_function<void(Result<void>)>;

  explicit Applier(kube::Client& client) : client_(client), retry_(client.loop()) {}

  // One call at a time.
  void Apply(std::vector<Manifest> manifests, Done done);

 private:
  struct Place {
    std::string plural;
    bool namespaced = true;
  };

  const Manifest& current() const { return manifests_[next_]; }
  void Next();
  void Discover();
  void OnDiscovered(Result<kube::ApiResponse> result);
  void Send(const Place& place);
  void OnCreated(const std::string& path, Result<kube::ApiResponse> result);
  void Finish(Result<void> result);
  void Fail(std::string_view why);

  kube::Client& client_;
  std::vector<Manifest> manifests_;
  std::size_t next_ = 0;
  int attempts_ = 0;
  Done done_;
  std::map<std::string, Place> places_;  // by "apiVersion kind"
  Timer retry_;
  Scope scope_;
};

}  // namespace basalt::cli
