#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "kube/client/access_secret.h"
#include "scheduler/query/query_server.h"
#include "scheduler/service/scheduler_service.h"
#include "scheduler/simulate/image_worker.h"

namespace basalt::cli {

// The scheduler's answers to questions: the server at --query-address, and its Secret, written each
// time that the scheduler begins to lead. Owned by the scheduler role, with the service it is for;
// loop thread only.
class Questions {
 public:
  // Listens at `address` (ADDRESS:PORT) when it returns. Where it listens on every address, the
  // Secret names $POD_IP, else this host's name.
  static Result<std::unique_ptr<Questions>> Create(AsioLoop& loop, const std::string& address,
                                                   scheduler::SchedulerService& service,
                                                   const std::string& secret_namespace);

  // The service leads: this is where to ask.
  void Publish() { secret_->Publish(); }
  // That was told, or cannot be told now.
  bool settled() const { return secret_->tried(); }

 private:
  std::unique_ptr<scheduler::simulate::ImageWorker> worker_;
  std::unique_ptr<net::TokenServer> server_;
  std::optional<kube::AccessSecret> secret_;
};

}  // namespace basalt::cli
