#include "cli/api_server_thread.h"

#include <exception>
#include <thread>
#include <utility>

#include "apiserver/admission/https_webhook_caller.h"
#include "apiserver/server.h"
#include "apiserver/storage/group_commit.h"
#include "base/asio_loop.h"
#include "cli/up_identity.h"
#include "net/http_server.h"

namespace basalt::cli {

// Destroyed after the thread has ended, in reverse order.
struct ApiServerThread::Impl {
  AsioLoop loop;
  apiserver::HttpsWebhookCaller webhooks{loop};
  std::unique_ptr<apiserver::GroupCommit> kept;
  std::unique_ptr<apiserver::Server> server;
  std::unique_ptr<net::HttpServer> http;
  std::thread thread;
  bool restored = false;

  Result<void> MakeServer(const apiserver::ServerOptions& options) {
    if (!kept) {
      server = std::make_unique<apiserver::Server>(loop, options, &webhooks);
      return {};
    }
    Result<apiserver::KeptState> state = kept->folder().Load();
    if (!state) return std::unexpected(state.error());
    restored = state->version > 0;
    try {
      server =
          std::make_unique<apiserver::Server>(loop, options, &webhooks, std::move(*state), *kept);
    } catch (const std::exception& error) {
      return Fail(ErrorCode::kInvalid,
                  std::string("what was kept cannot be read: ") + error.what());
    }
    return {};
  }
};

ApiServerThread::ApiServerThread(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<ApiServerThread>> ApiServerThread::Start(ApiServerThreadOptions options) {
  auto impl = std::make_unique<Impl>();
  if (options.folder) {
    impl->kept = std::make_unique<apiserver::GroupCommit>(impl->loop, std::move(options.folder),
                                                          std::move(options.failed));
  }
  const apiserver::ServerOptions server_options{
      .bearer_token = options.bearer_token,
      .seed = static_cast<std::uint64_t>(impl->loop.Now().time_since_epoch().count())};
  if (auto made = impl->MakeServer(server_options); !made) return std::unexpected(made.error());
  const auto listen = [&](std::uint16_t port) {
    return apiserver::Listen(impl->loop, *impl->server,
                             {.address = options.address,
                              .port = port,
                              .tls = options.certificate,
                              .max_body_bytes = server_options.max_body_bytes});
  };
  auto http = listen(options.port == 0 ? options.preferred_port : options.port);
  if (!http && options.port == 0) http = listen(0);
  if (!http) return std::unexpected(http.error());
  impl->http = std::move(*http);
  if (impl->kept) {
    if (auto told = RememberPort(impl->kept->folder(), impl->http->port()); !told) {
      return std::unexpected(told.error());
    }
    impl->kept->Start();
  }
  impl->thread = std::thread([loop = &impl->loop] { loop->Run(); });
  return std::unique_ptr<ApiServerThread>(new ApiServerThread(std::move(impl)));
}

ApiServerThread::~ApiServerThread() {
  impl_->loop.Stop();
  impl_->thread.join();
}

std::uint16_t ApiServerThread::port() const { return impl_->http->port(); }

bool ApiServerThread::restored() const { return impl_->restored; }

}  // namespace basalt::cli
