#pragma once

#include <memory>
#include <string>

#include "cli/role.h"

namespace basalt::dashboard {
class DashboardServer;
class Upstream;
}  // namespace basalt::dashboard

namespace basalt::cli {

struct DashboardFlags {
  std::string listen = "127.0.0.1:0";
  std::string auth = "token";  // or "review"
  std::string cert_file, key_file;
  std::string scheduler_namespace = "volcano-system";
};

// The dashboard: a page and its data, from the answers of the leading scheduler and of the
// descheduler. Owned by its process; loop thread only.
class DashboardRole final : public Role {
 public:
  static Result<std::unique_ptr<DashboardRole>> Build(RoleContext& context,
                                                      const DashboardFlags& flags);
  ~DashboardRole() override;

  std::string name() const override { return "dashboard"; }
  void Start() override;
  bool ready() const override { return true; }
  // Where people find it, with the token that opens it where that is this process's own.
  const std::string& address() const { return address_; }

 private:
  DashboardRole();

  std::unique_ptr<dashboard::Upstream> scheduler_, descheduler_;
  std::unique_ptr<dashboard::DashboardServer> server_;
  std::string address_;
};

}  // namespace basalt::cli
