#include "testing/scheduling/faulty_client.h"

#include <fmt/core.h>

#include <utility>

#include "testing/seeds.h"

namespace basalt::testutil {
namespace {

constexpr Duration kLost = 2s;  // until somebody notices that no answer comes

Error Unreachable() { return {.code = ErrorCode::kUnavailable, .message = "no answer"}; }

bool IsHarmed(const kube::ApiRequest& request) {
  return request.method != "GET" && (request.path.find("/pods/") != std::string::npos ||
                                     request.path.find("/reservations/") != std::string::npos);
}

bool IsOfLease(const kube::ApiRequest& request) {
  return request.path.find("/leases") != std::string::npos;
}

}  // namespace

class FaultyClient::Stream final : public kube::WatchStream, public kube::WatchObserver {
 public:
  Stream(FaultyClient& owner, std::uint64_t id, kube::WatchObserver& observer)
      : owner_(owner), id_(id), observer_(observer) {
    owner_.streams_[id] = this;
    broken_ = owner_.cut_off_;
  }
  ~Stream() override { owner_.streams_.erase(id_); }
  void Start(kube::ApiRequest request) { inner_ = owner_.api_.Watch(std::move(request), *this); }

  void OnFrame(std::string_view frame) override {
    if (broken_) {
      ++owner_.counts_.cut_off;
    } else {
      observer_.OnFrame(frame);
    }
  }
  void OnEnd(const Error& error) override {
    if (!broken_) observer_.OnEnd(error);
  }
  void Break() { broken_ = true; }
  // The owner hears that it is broken, and most likely destroys it.
  void TellBroken() { observer_.OnEnd(Unreachable()); }
  bool broken() const { return broken_; }

 private:
  FaultyClient& owner_;
  std::uint64_t id_;
  kube::WatchObserver& observer_;
  bool broken_;
  std::unique_ptr<kube::WatchStream> inner_;
};

FaultyClient::FaultyClient(kube::ApiClient& api, HarmCounts& counts, std::function<void()> die)
    : api_(api), counts_(counts), die_(std::move(die)) {}
FaultyClient::~FaultyClient() = default;

void FaultyClient::Answer(Error error, Duration after, kube::ApiHandler handler) {
  loop().Schedule(after,
                  scope_.Guard([error = std::move(error), handler = std::move(handler)]() mutable {
                    handler(std::unexpected(std::move(error)));
                  }));
}

std::optional<Harm::Kind> FaultyClient::Draw(const kube::ApiRequest& request) {
  if (!harm_ || !IsHarmed(request)) return std::nullopt;
  if (harm_->skip > 0) {
    --harm_->skip;
    return std::nullopt;
  }
  const Harm::Kind kind = harm_->kind;
  ++counts_.writes[kind];
  if (--harm_->count == 0) harm_.reset();
  return kind;
}

void FaultyClient::Send(kube::ApiRequest request, kube::ApiHandler handler) {
  if (cut_off_) {
    ++counts_.cut_off;
    return Answer(Unreachable(), kLost, std::move(handler));
  }
  if (lease_lost_ && IsOfLease(request)) {
    ++counts_.lease_requests_lost;
    return Answer(Unreachable(), 100ms, std::move(handler));
  }
  const std::optional<Harm::Kind> kind = Draw(request);
  if (OneSeedOnly() && request.method != "GET" && !IsOfLease(request) &&
      request.path.find("/events") == std::string::npos) {
    fmt::print("{} ms: {} {} {}{}\n", loop().Monotonic() / 1ms, request.method, request.path,
               request.body, kind ? fmt::format(" harm {}", static_cast<int>(*kind)) : "");
  }
  if (!kind) return api_.Send(std::move(request), std::move(handler));
  switch (*kind) {
    case Harm::Kind::kRequestLost: return Answer(Unreachable(), kLost, std::move(handler));
    case Harm::Kind::kAnswerLost:
      api_.Send(std::move(request), [](const Result<kube::ApiResponse>&) {});
      return Answer(Unreachable(), kLost, std::move(handler));
    case Harm::Kind::kConflict:
      return Answer({.code = ErrorCode::kConflict,
                     .message = "the object has been modified",
                     .http_status = 409},
                    10ms, std::move(handler));
    case Harm::Kind::kDiesAfter:
      api_.Send(std::move(request), [](const Result<kube::ApiResponse>&) {});
      [[fallthrough]];
    case Harm::Kind::kDiesBefore:
      // The process is still on the stack: it goes when that is empty. Nothing goes out meanwhile.
      cut_off_ = true;
      loop().Post([die = die_] { die(); });
      return;
  }
}

std::unique_ptr<kube::WatchStream> FaultyClient::Watch(kube::ApiRequest request,
                                                       kube::WatchObserver& observer) {
  auto stream = std::make_unique<Stream>(*this, next_stream_++, observer);
  stream->Start(std::move(request));
  return stream;
}

void FaultyClient::CutOff(bool cut) {
  cut_off_ = cut;
  for (const auto& [id, stream] : streams_) {
    if (cut) {
      stream->Break();
    } else if (stream->broken()) {
      loop().Post(scope_.Guard([this, id = id] {
        const auto it = streams_.find(id);
        if (it != streams_.end()) it->second->TellBroken();
      }));
    }
  }
}

}  // namespace basalt::testutil
