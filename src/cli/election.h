#pragma once

#include <memory>
#include <string>

#include "base/loop.h"
#include "kube/client/client.h"
#include "kube/client/leader_elector.h"

namespace basalt::cli {

// A name that no other process has, nor an earlier run of this one: "host_token".
std::string ElectionIdentity();

// Makes a namespace where it is missing, then calls `done`, also when that was refused: it may be
// there all the same, and whoever needs it will say what is wrong.
void EnsureNamespace(kube::Client& client, const std::string& name, Task done);

}  // namespace basalt::cli
