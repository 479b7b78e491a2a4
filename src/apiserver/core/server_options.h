#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace basalt::apiserver {

struct ServerOptions {
  std::string bearer_token;             // empty: every client may do everything
  std::uint64_t seed = 1;               // of uids and generated names
  std::size_t watch_history = 200'000;  // events kept for watches that resume; older: 410
  std::size_t max_body_bytes = 3 * 1024 * 1024;
  std::size_t max_object_bytes = 1536 * 1024;  // as stored; etcd's limit on a request
  Duration event_ttl = 3600s;                  // after an Event's last change
  Duration bookmark_interval = 60s;
};

}  // namespace basalt::apiserver
