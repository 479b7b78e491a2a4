#include "webhook/registrar.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace basalt::webhook {
namespace {

constexpr Duration kFirstRetry = 200ms;
constexpr Duration kLongestRetry = 30s;

}  // namespace

Registrar::Registrar(kube::Client& client, RegistrarOptions options,
                     std::function<void(const net::CertificateAndKey&)> use_certificate)
    : client_(client),
      options_(std::move(options)),
      use_certificate_(std::move(use_certificate)),
      secret_(client, options_.secret),
      confirming_(client, options_.secret),
      configurations_(
          client,
          [this](std::move_only_function<void(bool)> answer) { Confirm(std::move(answer)); }),
      retry_delay_(kFirstRetry),
      timer_(client.loop()) {}

void Registrar::Start() { Look(); }

void Registrar::Register(CallTarget target) {
  target_ = std::move(target);
  Look();
}

void Registrar::UseBundle(std::string ca_pem) {
  given_bundle_ = std::move(ca_pem);
  Look();
}

// One look at a time: authority, configurations, certificate.
void Registrar::Look() {
  if (looking_) {
    look_again_ = true;
    return;
  }
  looking_ = true;
  look_again_ = false;
  timer_.Stop();
  if (!given_bundle_.empty()) return WriteConfigurations();
  secret_.Load([this](Result<AuthoritySecret::Loaded> loaded) { OnLoaded(std::move(loaded)); });
}

void Registrar::OnLoaded(Result<AuthoritySecret::Loaded> loaded) {
  if (!loaded) return Fail(loaded.error());
  authority_ = std::move(*loaded);
  if (shown_certificate_.empty()) ShowCertificate();  // the API server cannot call before
  WriteConfigurations();
}

void Registrar::ShowCertificate() {
  const Time now = client_.loop().Now();
  auto made = MakeServerCertificate(authority_->authority, options_.dns_names,
                                    options_.ip_addresses, now, options_.certificate_lifetime);
  if (!made) {
    log::Error("making a certificate", {{"error", made.error().message}});
    return;
  }
  shown_authority_ = authority_->authority.newest.certificate_pem;
  shown_certificate_ = made->certificate_pem;
  use_certificate_(*made);
}

void Registrar::WriteConfigurations() {
  if (!target_) return OnRegistered({});
  const std::string& bundle =
      given_bundle_.empty() ? authority_->authority.bundle_pem : given_bundle_;
  configurations_.Ensure(
      MakeConfiguration(true, options_.routes, *target_, bundle, options_.policy),
      MakeConfiguration(false, options_.routes, *target_, bundle, options_.policy),
      scope_.Guard([this](const Result<void>& result) {
        // What we had was old: what is new now is.
        if (!result && (result.error().code == ErrorCode::kCancelled ||
                        result.error().code == ErrorCode::kConflict ||
                        result.error().code == ErrorCode::kAlreadyExists)) {
          return LookLater(Duration::zero());
        }
        if (!result) return Fail(result.error());
        OnRegistered(result);
      }));
}

void Registrar::OnRegistered(const Result<void>&) {
  registered_ = target_.has_value();
  retry_delay_ = kFirstRetry;
  if (given_bundle_.empty() && (shown_authority_ != authority_->authority.newest.certificate_pem ||
                                NeedsRenewal(shown_certificate_, client_.loop().Now()))) {
    ShowCertificate();
  }
  LookLater(options_.check_interval);
}

// Another replica may have put a new authority in: then its configurations are right, not ours.
void Registrar::Confirm(std::move_only_function<void(bool)> answer) {
  if (!given_bundle_.empty()) return answer(true);
  confirming_.Load(
      [this, answer = std::move(answer)](const Result<AuthoritySecret::Loaded>& loaded) mutable {
        answer(loaded && loaded->resource_version == authority_->resource_version);
      });
}

void Registrar::LookLater(Duration delay) {
  looking_ = false;
  timer_.Start(look_again_ ? Duration::zero() : delay, [this] { Look(); });
}

void Registrar::Fail(const Error& error) {
  log::Warning("registering the webhook failed and is tried again", {{"error", error.message}});
  LookLater(retry_delay_);
  retry_delay_ = std::min(retry_delay_ * 2, kLongestRetry);
}

}  // namespace basalt::webhook
