#include "cli/api_server_thread.h"

#include <thread>

#include "apiserver/admission/https_webhook_caller.h"
#include "apiserver/http_endpoint.h"
#include "apiserver/server.h"
#include "base/asio_loop.h"
#include "net/http_server.h"

namespace basalt::cli {

// Destroyed after the thread has ended, in reverse order.
struct ApiServerThread::Impl {
  AsioLoop loop;
  apiserver::HttpsWebhookCaller webhooks{loop};
  std::unique_ptr<apiserver::Server> server;
  std::unique_ptr<net::HttpServer> http;
  std::thread thread;
};

ApiServerThread::ApiServerThread(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<ApiServerThread>> ApiServerThread::Start(
    const ApiServerThreadOptions& options) {
  auto impl = std::make_unique<Impl>();
  apiserver::ServerOptions server_options{
      .bearer_token = options.bearer_token,
      .seed = static_cast<std::uint64_t>(impl->loop.Now().time_since_epoch().count())};
  impl->server = std::make_unique<apiserver::Server>(impl->loop, server_options, &impl->webhooks);
  auto http = apiserver::Listen(impl->loop, *impl->server,
                                {.address = options.address,
                                 .port = options.port,
                                 .tls = options.certificate,
                                 .max_body_bytes = server_options.max_body_bytes});
  if (!http) return std::unexpected(http.error());
  impl->http = std::move(*http);
  impl->thread = std::thread([loop = &impl->loop] { loop->Run(); });
  return std::unique_ptr<ApiServerThread>(new ApiServerThread(std::move(impl)));
}

ApiServerThread::~ApiServerThread() {
  impl_->loop.Stop();
  impl_->thread.join();
}

std::uint16_t ApiServerThread::port() const { return impl_->http->port(); }

}  // namespace basalt::cli
