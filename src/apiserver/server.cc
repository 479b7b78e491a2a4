#include "apiserver/server.h"

#include "apiserver/core/core.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/dispatch.h"
#include "apiserver/gc/controllers.h"
#include "apiserver/kinds/builtin.h"
#include "apiserver/object/barrier.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/watch.h"
#include "apiserver/rest/write.h"
#include "base/check.h"

namespace basalt::apiserver {

namespace {

// A request's answer, held back until everything that it may tell of is safe: also reads and
// watches, so that no client ever saw a state that a crash can take back. `persistence` must
// outlive it.
class HeldExchange final : public net::HttpExchange,
                           public std::enable_shared_from_this<HeldExchange> {
 public:
  HeldExchange(std::shared_ptr<net::HttpExchange> exchange, Persistence& persistence)
      : exchange_(std::move(exchange)), persistence_(persistence) {}

  void Respond(net::HttpResponse response) override {
    Later([response = std::move(response)](HeldExchange& self) mutable {
      self.exchange_->Respond(std::move(response));
    });
  }
  void StartStream(int status, std::string content_type) override {
    Later([status, type = std::move(content_type)](HeldExchange& self) mutable {
      self.exchange_->StartStream(status, std::move(type));
    });
  }
  void Write(std::string piece) override {
    held_bytes_ += piece.size();
    Later([piece = std::move(piece)](HeldExchange& self) mutable {
      self.held_bytes_ -= piece.size();
      self.exchange_->Write(std::move(piece));
    });
  }
  void End() override {
    Later([](HeldExchange& self) { self.exchange_->End(); });
  }
  std::size_t Unsent() const override { return held_bytes_ + exchange_->Unsent(); }
  void OnSent(std::move_only_function<void()> callback) override {
    Later([callback = std::move(callback)](HeldExchange& self) mutable {
      self.exchange_->OnSent(std::move(callback));
    });
  }
  void OnPeerGone(std::move_only_function<void()> callback) override {
    exchange_->OnPeerGone(std::move(callback));
  }

 private:
  template <class Work>
  void Later(Work work) {
    persistence_.AfterSafe(
        [self = shared_from_this(), work = std::move(work)]() mutable { work(*self); });
  }

  std::shared_ptr<net::HttpExchange> exchange_;
  Persistence& persistence_;
  std::size_t held_bytes_ = 0;
};

}  // namespace

struct Server::Impl {
  Impl(Loop& loop, ServerOptions options, WebhookCaller* webhooks, KeptState kept,
       Persistence* where)
      : core(loop, std::move(options), webhooks), persistence(where) {
    for (const auto make : {MakeGarbageCollector, MakeDefinitionController,
                            MakeDisruptionController, MakeEventExpiry, MakeVolumeProtection}) {
      controllers.push_back(make(core));
    }
    core.watches = std::make_shared<OpenWatches>();
    core.openapi = std::make_shared<OpenApiDocuments>();
    for (KindInfo& info : BuiltinKinds()) {
      ServedKind kind{.info = std::move(info)};
      kind.collection = &core.store.Of(kind.info.group, kind.info.plural);
      if (kind.info.group == "events.k8s.io") {
        kind.collection = &core.store.Of("", "events");
        kind.to_stored = ToCoreEvent;
        kind.from_stored = FromCoreEvent;
      }
      if (kind.info.graceful_deletion) KeepPodFields(kind);
      core.kinds.Add(std::move(kind));
    }
    if (kept.version > 0) core.store.Restore(std::move(kept));
    if (persistence != nullptr) core.store.KeepIn(*persistence);
    for (json::object& object : InitialObjects()) Create(std::move(object));
  }

  // What kubelets and schedulers select pods by.
  static void KeepPodFields(const ServedKind& pods) {
    pods.collection->kept_fields = {"spec.nodeName", "spec.schedulerName", "status.phase"};
    pods.collection->field_value = [rules = pods.info.rules](const json::object& pod,
                                                             const std::string& field) {
      std::string value;
      rules->FieldValue(pod, field, value);
      return value;
    };
  }

  // What exists from the start needs no admission.
  void Create(json::object object) {
    const KindPtr kind =
        core.kinds.FindByKind(GetString(object, {"apiVersion"}), GetString(object, {"kind"}));
    BASALT_CHECK(kind != nullptr);
    FillForCreate(core, object);
    kind->info.rules->Default(object);
    kind->info.rules->PrepareForCreate(object, core.loop.Now());
    std::string key = kind->Key(Namespace(object), Name(object));
    if (Store::Get(*kind->collection, key) != nullptr) return;  // from the last time
    core.store.Create(*kind->collection, std::move(key), std::move(object));
  }

  Core core;
  std::vector<std::unique_ptr<EventSink>> controllers;
  Persistence* persistence;
};

Server::Server(Loop& loop, ServerOptions options, WebhookCaller* webhooks)
    : impl_(std::make_unique<Impl>(loop, std::move(options), webhooks, KeptState(), nullptr)) {}

Server::Server(Loop& loop, ServerOptions options, WebhookCaller* webhooks, KeptState kept,
               Persistence& persistence)
    : impl_(std::make_unique<Impl>(loop, std::move(options), webhooks, std::move(kept),
                                   &persistence)) {}

Server::~Server() = default;

std::optional<net::HttpResponse> Server::Judge(const net::HttpRequest& head) const {
  return JudgeHead(impl_->core, head);
}

void Server::Handle(net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
  if (impl_->persistence != nullptr) {
    exchange = std::make_shared<HeldExchange>(std::move(exchange), *impl_->persistence);
  }
  const std::string doing = request.method + " " + request.target;
  Survives(doing, [&] { Dispatch(impl_->core, std::move(request), std::move(exchange)); });
}

void Server::Compact() { impl_->core.store.Compact(); }

void Server::CloseWatches() { impl_->core.watches->Close(nullptr); }

Result<std::unique_ptr<net::HttpServer>> Listen(AsioLoop& loop, Server& server,
                                                net::HttpServerOptions http) {
  // A watch writes no more while more than OpenWatches allows waits to be read: this is that and
  // the largest piece.
  http.max_stream_backlog = 8 * 1024 * 1024;
  http.refusal = [](int code, std::string_view message) {
    const std::string reason = code == 413   ? "RequestEntityTooLarge"
                               : code == 408 ? "Timeout"
                               : code == 400 ? "BadRequest"
                                             : "";
    return ResponseOf({code, reason, std::string(message)});
  };
  http.judge = [&server](const net::HttpRequest& head) { return server.Judge(head); };
  return net::HttpServer::Create(
      loop, std::move(http),
      [&server](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        server.Handle(std::move(request), std::move(exchange));
      });
}

}  // namespace basalt::apiserver
