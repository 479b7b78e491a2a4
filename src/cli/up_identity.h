#pragma once

#include <cstdint>
#include <string>

#include "apiserver/storage/data_folder.h"
#include "base/clock.h"
#include "base/error.h"
#include "net/tls.h"

namespace basalt::cli {

// What clients of a `basalt up` know it by. With a data directory it is the same after a restart,
// so that their kubeconfigs stay good.
struct UpIdentity {
  net::CertificateAndKey authority;
  std::string token;
  std::uint16_t port = 0;  // where it listened the last time; 0: there was none
};

// The folder's, made and remembered where it is missing; without a folder: a new one.
Result<UpIdentity> IdentityOf(apiserver::DataFolder* folder, Time now);

Result<void> RememberPort(apiserver::DataFolder& folder, std::uint16_t port);

}  // namespace basalt::cli
