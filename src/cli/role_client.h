#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "cli/ask_scheduler.h"
#include "cli/role.h"

namespace basalt::net {
class HttpClient;
}

namespace basalt::cli {

// How the leader of a role is found: by the Secret that it keeps.
struct RoleAddress {
  std::string_view role;             // "scheduler"
  std::string_view secret;           // its name
  std::string_view server_name;      // in the role's certificate
  std::string ns;                    // of the Secret
  std::string_view how_to_have_one;  // a sentence for a user that finds none
};

// Requests to the leader of a role one after the other, each waited for. Owned by a command; one
// thread, which runs its loop during each call.
class RoleClient {
 public:
  struct Answer {
    int status = 0;
    boost::json::value body;  // null where it is no JSON
    // What a refusal says; "the scheduler answers 500" where it says nothing.
    std::string message;
  };

  // Reads the Secret. An error says what to do about it.
  static Result<std::unique_ptr<RoleClient>> Open(const AskFlags& flags, RoleAddress address);
  ~RoleClient();

  // The namespace of the kubeconfig.
  const std::string& ns() const { return ns_; }
  // An error: the role does not answer, or does not know the token any more.
  Result<Answer> Send(const std::string& method, const std::string& target,
                      const std::string& body = "");
  // Lets time pass.
  void Wait(Duration duration);

 private:
  RoleClient();

  RoleAddress address_;
  AsioLoop loop_;
  std::string ns_;
  std::string server_;
  std::string token_;
  std::unique_ptr<net::HttpClient> client_;
};

}  // namespace basalt::cli
