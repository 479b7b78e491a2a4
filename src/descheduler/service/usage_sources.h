#pragma once

#include <memory>

#include "base/asio_loop.h"
#include "base/error.h"
#include "descheduler/policy/policy.h"
#include "descheduler/service/usage_reading.h"
#include "descheduler/service/usage_source.h"
#include "kube/client/client.h"

namespace basalt::descheduler {

// The source that the arguments name: Prometheus over HTTP or HTTPS, or an API that the cluster
// serves. An error: the address cannot be used. `client` and `loop` must outlive it.
Result<std::unique_ptr<UsageSource>> MakeUsageSource(AsioLoop& loop, kube::Client& client,
                                                     const LoadAwareArgs& args,
                                                     AllocatableOf allocatable);

}  // namespace basalt::descheduler
