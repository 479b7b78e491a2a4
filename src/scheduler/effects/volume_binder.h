#pragma once

#include <functional>
#include <memory>

#include "base/error.h"
#include "base/loop.h"
#include "kube/client/client.h"
#include "model/intent.h"

namespace basalt::scheduler {

// Gets a pod's claims bound before the pod is: tells the volume which claim it is for, or the
// claim's provisioner which node to make one for, and waits until the volume controller or the
// provisioner has done its part. Loop thread only.
class VolumeBinder {
 public:
  struct Options {
    Duration timeout = 10min;  // kube-scheduler's bindTimeoutSeconds
    Duration first_look = 100ms;
    Duration most_between_looks = 5s;
  };
  using Done = std::move_only_function<void(Result<void>)>;

  VolumeBinder(kube::Client& client, Options options) : client_(client), options_(options) {}

  // What must be written, from the volume of that number on; `done` when all of it is.
  void Write(std::shared_ptr<const model::Bind> bind, Done done, std::size_t first = 0);
  // `done` when every claim is bound, a provisioner has given up, or the time is over.
  void WaitUntilBound(std::shared_ptr<const model::Bind> bind, Done done);

 private:
  struct Wait;

  void Look(std::shared_ptr<Wait> wait);

  kube::Client& client_;
  Options options_;
  Scope scope_;
};

}  // namespace basalt::scheduler
