#pragma once

#include <string>

#include "base/backoff.h"
#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "kube/client/api_client.h"

namespace basalt::kube {

// Says, soon after the start of a process, that the API server cannot be reached, and says when it
// can be; requests themselves are repeated for a while before their failures are told. Whatever the
// server answers, it is there. Ends with the first answer. Owned by the process; loop thread (of
// `api`) only.
class ReachWatch {
 public:
  // `server`: what is tried, for the log.
  ReachWatch(ApiClient& api, std::string server);

  void Start() { Ask(); }
  bool reached() const { return reached_; }
  // How often it was said that it cannot be reached.
  int complaints() const { return complaints_; }

 private:
  void Ask();
  void Answered(const Result<ApiResponse>& response);

  ApiClient& api_;
  const std::string server_;
  Random random_;
  Backoff backoff_;
  bool reached_ = false;
  int complaints_ = 0;
  Duration last_complaint_{0};
  Timer retry_;
  Scope scope_;
};

}  // namespace basalt::kube
