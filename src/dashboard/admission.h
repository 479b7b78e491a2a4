#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "dashboard/sight.h"
#include "kube/client/client.h"

namespace basalt::dashboard {

// Which requests are let in, by the token that they carry, and what their sender may see. Owned by
// the DashboardServer; loop thread only.
class Admission {
 public:
  using Done = std::function<void(Result<Sight>)>;
  virtual ~Admission() = default;
  // kUnauthorized: the token is none, or no longer one. `done` is called now or later.
  virtual void Admit(const std::string& token, Done done) = 0;
};

// One token, made for this process, that opens everything: on loopback, for the person that started
// it.
std::unique_ptr<Admission> AdmitByOneToken(std::string token);

// Tokens of the cluster's people, by TokenReview; they see the namespaces whose pods they may list,
// by SubjectAccessReview. What was found out holds for half a minute. `namespaces`: all there are.
std::unique_ptr<Admission> AdmitByReview(kube::Client& client,
                                         std::function<std::vector<std::string>()> namespaces);

}  // namespace basalt::dashboard
