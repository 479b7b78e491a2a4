#pragma once

#include <string>

#include "descheduler/service/run_control.h"
#include "net/http.h"

namespace basalt::descheduler {

inline constexpr std::string_view kApiSecret = "basalt-descheduler";
inline constexpr std::string_view kApiServerName = "basalt-descheduler";
inline constexpr std::size_t kMostApiBytes = 64 * 1024;

// The HTTP API of contract C8, W17: a run is started, followed and looked up. Answers at once.
// Clients need the token; refusals are {"message": "…"}. Owned by the descheduler's role; loop
// thread only.
class ApiHandler {
 public:
  // `runs` must outlive it.
  ApiHandler(std::string token, RunControl& runs) : token_(std::move(token)), runs_(runs) {}

  net::HttpResponse Answer(const net::HttpRequest& request) const;

 private:
  net::HttpResponse Begin(const std::string& body) const;
  net::HttpResponse List() const;
  net::HttpResponse Show(std::string_view id) const;

  std::string token_;
  RunControl& runs_;
};

// What the body of a POST asks for. Errors name the field.
Result<RunRequest> ParseRunRequest(std::string_view body);

}  // namespace basalt::descheduler
