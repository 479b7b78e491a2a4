#include "kube/informer/reflector.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace basalt::kube {
namespace {

// A watch that lasted so long worked: if it ended in order it is resumed at once.
constexpr Duration kLongEnough = 5s;
// So many watches that the server refused in a row, and the version itself may be the trouble: a
// server that lost its state knows no version as new as ours.
constexpr int kRefusalsUntilList = 3;

// So often a server says that there is no such kind before it is believed.
constexpr int kNotServedMeansNone = 3;

// Errors that trying again from the same version will not cure.
bool NeedsList(const Error& error) {
  // The frame that is too large would come again; a list has room for what is in it.
  if (error.code == ErrorCode::kGone || error.code == ErrorCode::kTooLarge) return true;
  return error.http_status >= 400 && error.http_status < 500 && error.http_status != 429;
}

}  // namespace

Reflector::Reflector(Client& client, const Resource& resource, ReflectorOptions options,
                     Target& target)
    : client_(client),
      resource_(resource),
      options_(std::move(options)),
      target_(target),
      random_(options_.seed),
      backoff_(options_.first_retry, options_.most_retry),
      retry_(client.loop()),
      silence_(client.loop()) {}

Reflector::~Reflector() = default;

void Reflector::Start() {
  client_.loop().Post(scope_.Guard([this] { List(); }));
}

void Reflector::Stop() {
  scope_.Reset();
  retry_.Stop();
  EndWatch();
}

void Reflector::List() {
  list_failed_ = false;
  target_.BeginList();
  ListOptions list{.label_selector = options_.label_selector,
                   .field_selector = options_.field_selector,
                   .limit = list_whole_ ? 0 : options_.page_size};
  list.left_out = scope_.Guard(
      [this](std::string metadata, const Error& error) { OnLeftOut(std::move(metadata), error); });
  client_.List(resource_, options_.ns, std::move(list),
               scope_.Guard([this](std::string body) { OnPage(std::move(body)); }),
               scope_.Guard([this](Result<std::string> resource_version) {
                 OnListed(std::move(resource_version));
               }));
}

void Reflector::OnPage(std::string body) {
  if (list_failed_) return;
  auto note = scope_.Guard([this](const Result<void>& applied) {
    if (applied) return;
    list_failed_ = true;
    list_error_ = applied.error();
  });
  note(target_.ApplyPage(std::move(body)));
}

void Reflector::OnLeftOut(std::string metadata, const Error& error) {
  if (!list_failed_) target_.ApplyLeftOut(std::move(metadata), error);
}

void Reflector::OnListed(Result<std::string> resource_version) {
  if (!resource_version) {
    // The pages took longer than the server remembers: all at once, then, for once.
    list_whole_ = resource_version.error().code == ErrorCode::kGone;
    const bool not_served = resource_version.error().code == ErrorCode::kNotFound;
    not_served_ = not_served ? not_served_ + 1 : 0;
    RetryList(resource_version.error());
    if (options_.may_be_missing && not_served_ >= kNotServedMeansNone) target_.EndList();
    return;
  }
  if (list_failed_) {
    RetryList(list_error_);
    return;
  }
  ++stats_.lists;
  list_whole_ = false;
  resource_version_ = std::move(*resource_version);
  last_complaint_.clear();
  client_.loop().Post(scope_.Guard([this] { Watch(); }));
  target_.EndList();
}

void Reflector::Watch() {
  ++stats_.watches;
  watch_began_ = client_.loop().Monotonic();
  const auto jitter = random_.Below(static_cast<std::uint64_t>(options_.watch_timeout.count()) + 1);
  const WatchOptions watch{.label_selector = options_.label_selector,
                           .field_selector = options_.field_selector,
                           .resource_version = resource_version_,
                           .bookmarks = true,
                           .timeout = options_.watch_timeout + std::chrono::seconds(jitter)};
  watch_ = client_.Watch(resource_, options_.ns, watch, *this);
  RestartSilenceTimer();
}

void Reflector::EndWatch() {
  silence_.Stop();
  watch_.reset();
}

void Reflector::RestartSilenceTimer() {
  silence_.Start(options_.most_silence, [this] {
    ++stats_.silences;
    EndWatch();
    RetryWatch({.code = ErrorCode::kTimeout, .message = "the watch fell silent"});
  });
}

void Reflector::OnFrame(std::string_view frame) {
  RestartSilenceTimer();
  auto apply = scope_.Guard([this](const Result<FrameResult>& result) {
    if (!result) {
      EndWatch();
      RetryList(result.error());
      return;
    }
    ++stats_.frames;
    refused_watches_ = 0;
    backoff_.Reset();
    last_complaint_.clear();
    if (!result->resource_version.empty()) resource_version_ = result->resource_version;
  });
  apply(target_.ApplyFrame(frame));
}

void Reflector::OnEnd(const Error& error) {
  const Error reason = error;  // it may live in what ends now
  EndWatch();
  const Duration lasted = client_.loop().Monotonic() - watch_began_;
  if (lasted >= kLongEnough) backoff_.Reset();
  if (NeedsList(reason)) {
    RetryList(reason);
    return;
  }
  if (reason.code == ErrorCode::kCancelled && lasted >= kLongEnough) {
    // Timed out as we asked for.
    client_.loop().Post(scope_.Guard([this] { Watch(); }));
    return;
  }
  if (reason.http_status != 0 && reason.http_status != 429 &&
      ++refused_watches_ >= kRefusalsUntilList) {
    refused_watches_ = 0;
    RetryList(reason);
    return;
  }
  RetryWatch(reason);
}

void Reflector::RetryList(const Error& error) {
  if (error.code == ErrorCode::kGone) {
    ++stats_.gone;
  } else {
    Complain("list again", error);
  }
  retry_.Start(RetryDelay(error), [this] { List(); });
}

void Reflector::RetryWatch(const Error& error) {
  if (error.code != ErrorCode::kCancelled) Complain("watch again", error);
  retry_.Start(RetryDelay(error), [this] { Watch(); });
}

Duration Reflector::RetryDelay(const Error& error) {
  const Duration delay = backoff_.Next(random_);
  if (!error.retry_after) return delay;
  return std::max<Duration>(delay, *error.retry_after);
}

void Reflector::Complain(std::string_view what, const Error& error) {
  ++stats_.failures;
  // An outage is one line, not one for each attempt.
  if (error.message == last_complaint_) return;
  last_complaint_ = error.message;
  log::Warning("lost touch with the API server",
               {{"resource", resource_.plural}, {"then", what}, {"error", error.message}});
}

}  // namespace basalt::kube
