#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "base/loop.h"
#include "kube/client/api_client.h"

namespace basalt::testutil {

// What happens to writes of pods (removals of gates, conditions, bindings) and of reservations.
struct Harm {
  enum class Kind : std::uint8_t {
    kRequestLost,  // never arrives
    kAnswerLost,   // the server acts on it, and nobody hears of it
    kConflict,     // 409, not acted on
    kDiesBefore,   // the process dies instead of sending it
    kDiesAfter,    // the process dies when it has sent it
  };
  Kind kind = Kind::kRequestLost;
  int skip = 0;   // so many writes go well
  int count = 1;  // then so many do not
};

// How often each of them came to pass.
struct HarmCounts {
  std::map<Harm::Kind, int> writes;
  int lease_requests_lost = 0;
  int cut_off = 0;  // requests and frames of processes that were cut off from the network
};

// Passes everything on to an API server, or not. Stands between one process and its network. Owned
// by the test; loop thread only.
class FaultyClient final : public kube::ApiClient {
 public:
  FaultyClient(kube::ApiClient& api, HarmCounts& counts, std::function<void()> die);
  ~FaultyClient() override;

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override;
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override;
  Loop& loop() override { return api_.loop(); }

  void Do(Harm harm) { harm_ = harm; }
  void StopHarm() { harm_.reset(); }
  // The lease can be neither read nor written.
  void LoseLease(bool lost) { lease_lost_ = lost; }
  // Nothing goes out and nothing comes in. Watches break when it is over.
  void CutOff(bool cut);

 private:
  class Stream;

  // What happens to this request; nothing: it goes well.
  std::optional<Harm::Kind> Draw(const kube::ApiRequest& request);
  void Answer(Error error, Duration after, kube::ApiHandler handler);

  kube::ApiClient& api_;
  HarmCounts& counts_;
  std::function<void()> die_;
  std::optional<Harm> harm_;
  bool lease_lost_ = false;
  bool cut_off_ = false;
  std::uint64_t next_stream_ = 1;
  std::map<std::uint64_t, Stream*> streams_;
  Scope scope_;
};

}  // namespace basalt::testutil
