#pragma once

#include "apiserver/core/server_options.h"
#include "apiserver/storage/store.h"
#include "base/asio_loop.h"
#include "base/error.h"
#include "base/loop.h"
#include "net/http.h"
#include "net/http_server.h"

namespace basalt::apiserver {

// Calls an admission webhook; net/ in production, a fake in tests. `done` gets the response body,
// or the error to apply failurePolicy to.
class WebhookCaller;

// The embedded API server without its sockets: requests in, responses and watch frames out, all on
// one loop's thread, all state in memory, and kept beyond the process where that is asked for. It
// is deterministic: the same requests, seed and clock give the same responses. Outlives its sockets
// (Listen); loop thread only.
class Server {
 public:
  // `webhooks` may be null: then no webhook is ever called.
  Server(Loop& loop, ServerOptions options, WebhookCaller* webhooks = nullptr);
  // Goes on from what was kept, and keeps what is written in `persistence`, which must outlive it:
  // every answer waits until what it may tell of is safe. Throws where an object that was kept
  // cannot be read.
  Server(Loop& loop, ServerOptions options, WebhookCaller* webhooks, KeptState kept,
         Persistence& persistence);
  ~Server();

  // The refusal of a request by its header alone, before its body is read.
  std::optional<net::HttpResponse> Judge(const net::HttpRequest& head) const;
  void Handle(net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange);

  // For tests of watches: forgets the history, so that a watch from an old version gets 410.
  void Compact();
  // For tests of clients: ends every watch that is open, as a restart would.
  void CloseWatches();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The sockets of a Server, which must outlive it. What never reaches the server (too large, too
// slow, not HTTP) is refused with a Status too. Of `http` all counts but what it would call. Loop
// thread only.
Result<std::unique_ptr<net::HttpServer>> Listen(AsioLoop& loop, Server& server,
                                                net::HttpServerOptions http);

}  // namespace basalt::apiserver
