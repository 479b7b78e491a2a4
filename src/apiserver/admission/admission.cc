#include "apiserver/admission/admission.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "apiserver/admission/webhook.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/barrier.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kGroup = "admissionregistration.k8s.io";

}  // namespace

// The webhooks of one kind of configuration, read again when one of them has changed.
class WebhookCache {
 public:
  WebhookCache(const ObjectReader& objects, std::string plural)
      : objects_(objects), plural_(std::move(plural)) {}

  const std::vector<Webhook>& Get() {
    const std::uint64_t version = objects_.LastChange(kGroup, plural_);
    if (version != version_) {
      webhooks_ = ReadWebhooks(objects_.List(kGroup, plural_, ""));
      version_ = version;
    }
    return webhooks_;
  }

 private:
  const ObjectReader& objects_;
  std::string plural_;
  std::uint64_t version_ = 0;
  std::vector<Webhook> webhooks_;
};

struct Admission::Impl {
  Impl(const ObjectReader& reader, WebhookCaller* webhooks)
      : objects(reader),
        caller(webhooks),
        mutating(reader, "mutatingwebhookconfigurations"),
        validating(reader, "validatingwebhookconfigurations") {}

  ServiceAddresses addresses;

  // Defined below, where a Round is known.
  void Start(WebhookCache& cache, AdmissionRequest request, bool mutates, Done done);

  std::string NextUid() {
    ++last_review;
    return fmt::format("00000000-0000-4000-8000-{:012x}", last_review);
  }

  using AfterReview = std::move_only_function<void(ApiResult<ReviewAnswer>)>;

  // One of those that wait for a review. A caller that lets go of it, answered or not, has it end.
  class Place {
   public:
    Place(Impl& impl, std::string uid)
        : end_(impl.scope.Guard([&impl, uid = std::move(uid)] {
            // The call ends outside the list: what it sets off may ask for another review.
            const auto gone = impl.waiting.extract(uid);
          })) {}
    Place(Place&& other) noexcept : end_(std::exchange(other.end_, nullptr)) {}
    ~Place() {
      if (end_) end_();
    }

   private:
    Callback end_;
  };

  // Asks one webhook. An error is one that failurePolicy has been applied to.
  void Ask(const Webhook& webhook, const AdmissionRequest& request, AfterReview done) {
    if (webhook.target.url.empty()) {
      const json::object& config = ObjectOf(webhook.configuration, "clientConfig");
      Settle(webhook,
             Fail(ErrorCode::kUnsupported,
                  fmt::format("service {}/{} cannot be reached: there is no cluster network; use "
                              "clientConfig.url",
                              GetString(config, {"service", "namespace"}),
                              GetString(config, {"service", "name"}))),
             done);
      return;
    }
    const std::string uid = NextUid();
    WebhookTarget target = webhook.target;
    target.url += fmt::format(
        "?timeout={}s", std::chrono::duration_cast<std::chrono::seconds>(webhook.timeout).count());
    Place its_place(*this, uid);  // also where something throws from here on
    waiting[uid] = std::move(done);
    caller->Call(
        std::move(target), WriteReview(request, uid), webhook.timeout,
        scope.Guard([this, webhook, uid, place = std::move(its_place)](Result<std::string> body) {
          // Where this throws, `then` goes and with it the call, which then answers for itself.
          Survives(webhook.name, [&] {
            AfterReview then = std::move(waiting.extract(uid).mapped());
            if (!body) return Settle(webhook, std::unexpected(body.error()), then);
            Settle(webhook, ReadReview(*body, uid, webhook.name), then);
          });
        }));
  }

  static void Settle(const Webhook& webhook, Result<ReviewAnswer> answer, AfterReview& done) {
    if (answer) return done(std::move(*answer));
    if (webhook.fail_open) return done(ReviewAnswer{.allowed = true});
    done(Refuse(
        refusal::Internal(fmt::format("failed calling webhook \"{}\": failed to call webhook: {}",
                                      webhook.name, answer.error().message))));
  }

  const ObjectReader& objects;
  WebhookCaller* caller;
  WebhookCache mutating;
  WebhookCache validating;
  std::uint64_t last_review = 0;
  Scope scope;
  // By review. The calls of clients are in here and not with the caller, which may be there for
  // longer than the server that is to answer them. Ends first.
  std::map<std::string, AfterReview> waiting;

  class Round;
};

// One request's way past the webhooks that want it, one after the other. Owns itself until done.
class Admission::Impl::Round : public std::enable_shared_from_this<Round> {
 public:
  Round(Impl& impl, AdmissionRequest request, std::vector<Webhook> webhooks, bool mutates,
        Done done)
      : impl_(impl),
        request_(std::move(request)),
        webhooks_(std::move(webhooks)),
        mutates_(mutates),
        done_(std::move(done)) {}

  void Next() {
    if (at_ == webhooks_.size() && !StartAgain()) return done_(std::move(request_.object));
    impl_.Ask(webhooks_[at_], request_,
              [self = shared_from_this()](ApiResult<ReviewAnswer> answer) {
                self->OnAnswer(std::move(answer));
              });
  }

 private:
  void OnAnswer(ApiResult<ReviewAnswer> answer) {
    if (!answer) return done_(Refuse(answer.error()));
    for (std::string& warning : answer->warnings) {
      if (request_.warnings != nullptr) request_.warnings->push_back(std::move(warning));
    }
    if (!answer->allowed) return done_(Refuse(answer->refusal));
    if (mutates_ && answer->patch && !answer->patch->empty()) {
      const json::object before = request_.object;
      if (ApiResult<void> applied = Apply(*answer->patch); !applied) {
        return done_(Refuse(applied.error()));
      }
      if (request_.object != before) last_change_ = at_;
    }
    ++at_;
    Next();
  }

  // Webhooks that ask for reinvocation see the object again where a later webhook has changed it.
  bool StartAgain() {
    if (!last_change_ || std::exchange(again_, true)) return false;
    std::vector<Webhook> again;
    for (std::size_t i = 0; i < *last_change_; ++i) {
      if (webhooks_[i].reinvoke && Wants(webhooks_[i], request_, impl_.objects)) {
        again.push_back(webhooks_[i]);
      }
    }
    webhooks_ = std::move(again);
    at_ = 0;
    return !webhooks_.empty();
  }

  ApiResult<void> Apply(const json::array& patch) {
    json::value document = request_.object;
    const bool own_kind = request_.subresource.empty() || request_.subresource == "status";
    Result<void> applied = ApplyJsonPatch(patch, document);
    if (applied && own_kind && request_.kind->schema != nullptr) {
      applied = Conform(document, *request_.kind->schema);
    }
    if (!applied) return Refuse(refusal::Internal(applied.error().message));
    if (!document.is_object()) return Refuse(refusal::Internal("the patch left no object"));
    request_.object = std::move(document.get_object());
    if (own_kind) request_.kind->rules->Default(request_.object);
    return {};
  }

  Impl& impl_;
  AdmissionRequest request_;
  std::vector<Webhook> webhooks_;
  bool mutates_;
  Done done_;
  std::size_t at_ = 0;
  std::optional<std::size_t> last_change_;
  bool again_ = false;
};

void Admission::Impl::Start(WebhookCache& cache, AdmissionRequest request, bool mutates,
                            Done done) {
  std::vector<Webhook> wanted;
  if (caller != nullptr) {
    for (const Webhook& webhook : cache.Get()) {
      if (Wants(webhook, request, objects)) wanted.push_back(webhook);
    }
  }
  if (wanted.empty()) return done(std::move(request.object));
  std::make_shared<Round>(*this, std::move(request), std::move(wanted), mutates, std::move(done))
      ->Next();
}

Admission::Admission(const ObjectReader& objects, WebhookCaller* webhooks)
    : impl_(std::make_unique<Impl>(objects, webhooks)) {}

Admission::~Admission() = default;

void Admission::Admit(AdmissionRequest request, Prepare prepare, Done done) {
  Impl& impl = *impl_;
  if (auto admitted = AdmitBuiltin(request, impl.objects, impl.addresses); !admitted) {
    return done(Refuse(admitted.error()));
  }
  // Objects are large: what is not needed again is not copied.
  std::optional<AdmissionRequest> again;
  if (impl.caller != nullptr && !impl.validating.Get().empty()) again = request;
  impl.Start(impl.mutating, std::move(request), true,
             [&impl, again = std::move(again), prepare = std::move(prepare),
              done = std::move(done)](ApiResult<json::object> mutated) mutable {
               if (mutated) mutated = prepare(std::move(*mutated));
               if (!mutated || !again) return done(std::move(mutated));
               again->object = std::move(*mutated);
               impl.Start(impl.validating, std::move(*again), false, std::move(done));
             });
}

}  // namespace basalt::apiserver
