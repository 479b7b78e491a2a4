#include "apiserver/admission/admission.h"

#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <utility>
#include <vector>

#include "apiserver/admission/builtin_steps.h"
#include "apiserver/admission/webhook_caller.h"
#include "apiserver/admission/webhook_review.h"
#include "apiserver/admission/webhook_rules.h"
#include "apiserver/object/barrier.h"
#include "apiserver/object/object.h"
#include "apiserver/patch/patch.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kGroup = "admissionregistration.k8s.io";

ApiStatus CallFailed(const Webhook& webhook, std::string_view why) {
  const std::string message =
      fmt::format("failed calling webhook \"{}\": failed to call webhook: {}", webhook.name, why);
  return {.code = 500,
          .reason = "InternalError",
          .message = "Internal error occurred: " + message,
          .details = StatusDetails{.causes = {{.message = message}}}};
}

void PassOn(const std::vector<std::string>& warnings, const AdmissionRequest& request) {
  if (request.warnings == nullptr) return;
  request.warnings->insert(request.warnings->end(), warnings.begin(), warnings.end());
}

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

  std::vector<Webhook> Wanted(WebhookCache& cache, const AdmissionRequest& request) {
    std::vector<Webhook> wanted;
    if (caller == nullptr) return wanted;
    for (const Webhook& webhook : cache.Get()) {
      if (Wants(webhook, request, objects)) wanted.push_back(webhook);
    }
    return wanted;
  }

  std::string NextUid() {
    ++last_review;
    return fmt::format("00000000-0000-4000-8000-{:012x}", last_review);
  }

  // Asks one webhook. An error is one that failurePolicy has been applied to.
  void Ask(const Webhook& webhook, const AdmissionRequest& request,
           std::move_only_function<void(ApiResult<ReviewAnswer>)> done) {
    if (webhook.target.url.empty()) {
      const json::object* service = FindObject(webhook.configuration, {"clientConfig", "service"});
      Settle(webhook,
             Fail(ErrorCode::kUnsupported,
                  fmt::format("service {}/{} cannot be reached: there is no cluster network; use "
                              "clientConfig.url",
                              service ? GetString(*service, {"namespace"}) : "",
                              service ? GetString(*service, {"name"}) : "")),
             done);
      return;
    }
    const std::string uid = NextUid();
    WebhookTarget target = webhook.target;
    target.url += fmt::format(
        "?timeout={}s", std::chrono::duration_cast<std::chrono::seconds>(webhook.timeout).count());
    caller->Call(
        std::move(target), WriteReview(request, uid), webhook.timeout,
        scope.Guard([this, webhook, uid, done = std::move(done)](Result<std::string> body) mutable {
          // Where this throws, `done` goes and with it the call, which then answers for itself.
          Survives(webhook.name, [&] {
            if (!body) return Settle(webhook, std::unexpected(body.error()), done);
            Settle(webhook, ReadReview(*body, uid, webhook.name), done);
          });
        }));
  }

  static void Settle(const Webhook& webhook, Result<ReviewAnswer> answer,
                     std::move_only_function<void(ApiResult<ReviewAnswer>)>& done) {
    if (answer) return done(std::move(*answer));
    if (webhook.fail_open) return done(ReviewAnswer{.allowed = true});
    done(Refuse(CallFailed(webhook, answer.error().message)));
  }

  const ObjectReader& objects;
  WebhookCaller* caller;
  WebhookCache mutating;
  WebhookCache validating;
  std::uint64_t last_review = 0;
  Scope scope;

  class Mutation;
  class Validation;
};

// One request's way through the mutating webhooks, one after the other. Owns itself until done.
class Admission::Impl::Mutation : public std::enable_shared_from_this<Mutation> {
 public:
  Mutation(Impl& impl, AdmissionRequest request, std::vector<Webhook> webhooks, MutateDone done)
      : impl_(impl),
        request_(std::move(request)),
        webhooks_(std::move(webhooks)),
        done_(std::move(done)) {}

  void Next() {
    if (at_ == webhooks_.size()) {
      if (!StartSecondRound()) return done_(std::move(request_.object));
    }
    const Webhook& webhook = webhooks_[at_];
    impl_.Ask(webhook, request_, [self = shared_from_this()](ApiResult<ReviewAnswer> answer) {
      self->OnAnswer(std::move(answer));
    });
  }

 private:
  void OnAnswer(ApiResult<ReviewAnswer> answer) {
    if (!answer) return done_(Refuse(answer.error()));
    PassOn(answer->warnings, request_);
    if (!answer->allowed) return done_(Refuse(answer->refusal));
    if (answer->patch && !answer->patch->empty()) {
      json::object before = request_.object;
      if (ApiResult<void> applied = Apply(*answer->patch); !applied) {
        return done_(Refuse(applied.error()));
      }
      if (request_.object != before) last_change_ = at_;
    }
    ++at_;
    Next();
  }

  // Those who asked for it see once more what others have changed after them.
  bool StartSecondRound() {
    if (second_round_ || !last_change_) return false;
    second_round_ = true;
    std::vector<Webhook> again;
    for (std::size_t i = 0; i < *last_change_; ++i) {
      if (webhooks_[i].reinvoke && Wants(webhooks_[i], request_, impl_.objects)) {
        again.push_back(webhooks_[i]);
      }
    }
    if (again.empty()) return false;
    webhooks_ = std::move(again);
    at_ = 0;
    return true;
  }

  ApiResult<void> Apply(const json::array& patch) {
    json::value document = request_.object;
    if (Result<void> applied = ApplyJsonPatch(patch, document); !applied) {
      return Refuse(refusal::Internal(applied.error().message));
    }
    const bool own_kind = request_.subresource.empty() || request_.subresource == "status";
    if (own_kind && request_.kind->schema != nullptr) {
      if (Result<void> conformed = Conform(document, *request_.kind->schema); !conformed) {
        return Refuse(refusal::Internal(conformed.error().message));
      }
    }
    if (!document.is_object()) return Refuse(refusal::Internal("the patch left no object"));
    request_.object = std::move(document.get_object());
    if (own_kind) request_.kind->rules->Default(request_.object);
    return {};
  }

  Impl& impl_;
  AdmissionRequest request_;
  std::vector<Webhook> webhooks_;
  MutateDone done_;
  std::size_t at_ = 0;
  std::optional<std::size_t> last_change_;
  bool second_round_ = false;
};

// One request's way past the validating webhooks, all at once; the first refusal in their order
// counts. Owns itself until done.
class Admission::Impl::Validation : public std::enable_shared_from_this<Validation> {
 public:
  Validation(AdmissionRequest request, std::vector<Webhook> webhooks, ValidateDone done)
      : request_(std::move(request)),
        webhooks_(std::move(webhooks)),
        refusals_(webhooks_.size()),
        warnings_(webhooks_.size()),
        waiting_(webhooks_.size()),
        done_(std::move(done)) {}

  void Start(Impl& impl) {
    for (std::size_t i = 0; i < webhooks_.size(); ++i) {
      impl.Ask(webhooks_[i], request_,
               [self = shared_from_this(), i](ApiResult<ReviewAnswer> answer) {
                 if (!answer) {
                   self->refusals_[i] = answer.error();
                 } else {
                   self->warnings_[i] = std::move(answer->warnings);
                   if (!answer->allowed) self->refusals_[i] = answer->refusal;
                 }
                 self->OnAnswer();
               });
    }
  }

 private:
  void OnAnswer() {
    if (--waiting_ > 0) return;
    for (const std::vector<std::string>& warnings : warnings_) PassOn(warnings, request_);
    for (std::optional<ApiStatus>& refusal : refusals_) {
      if (refusal) return done_(Refuse(std::move(*refusal)));
    }
    done_({});
  }

  AdmissionRequest request_;
  std::vector<Webhook> webhooks_;
  std::vector<std::optional<ApiStatus>> refusals_;
  std::vector<std::vector<std::string>> warnings_;  // by webhook, so that their order is its own
  std::size_t waiting_;
  ValidateDone done_;
};

Admission::Admission(Loop& /*loop*/, const ObjectReader& objects, WebhookCaller* webhooks)
    : impl_(std::make_unique<Impl>(objects, webhooks)) {}

Admission::~Admission() = default;

void Admission::Mutate(AdmissionRequest request, MutateDone done) {
  if (ApiResult<void> admitted = AdmitBuiltin(request, impl_->objects, impl_->addresses);
      !admitted) {
    return done(Refuse(admitted.error()));
  }
  std::vector<Webhook> webhooks = impl_->Wanted(impl_->mutating, request);
  if (webhooks.empty()) return done(std::move(request.object));
  std::make_shared<Impl::Mutation>(*impl_, std::move(request), std::move(webhooks), std::move(done))
      ->Next();
}

void Admission::Validate(AdmissionRequest request, ValidateDone done) {
  std::vector<Webhook> webhooks = impl_->Wanted(impl_->validating, request);
  if (webhooks.empty()) return done({});
  std::make_shared<Impl::Validation>(std::move(request), std::move(webhooks), std::move(done))
      ->Start(*impl_);
}

void Admission::Admit(AdmissionRequest request, Prepare prepare, MutateDone done) {
  // Objects are large: what is not needed again is not copied.
  std::optional<AdmissionRequest> again;
  if (impl_->caller != nullptr && !impl_->validating.Get().empty()) again = request;
  Mutate(std::move(request), [this, again = std::move(again), prepare = std::move(prepare),
                              done = std::move(done)](ApiResult<json::object> mutated) mutable {
    if (mutated) mutated = prepare(std::move(*mutated));
    if (!mutated || !again) return done(std::move(mutated));
    again->object = *mutated;
    Validate(std::move(*again),
             [object = std::move(*mutated), done = std::move(done)](ApiResult<void> yes) mutable {
               yes ? done(std::move(object)) : done(Refuse(std::move(yes.error())));
             });
  });
}

}  // namespace basalt::apiserver
