#include "testing/replay/recorder.h"

#include <fmt/format.h>

#include <utility>

#include "testing/replay/entry.h"

namespace basalt::scheduler {

struct Recorder::Log {
  explicit Log(std::ostream& stream) : out(stream) {}

  void Write(std::string_view kind, std::uint64_t number, std::string text = "") {
    out << ToLine({.kind = std::string(kind), .number = number, .text = std::move(text)});
  }
  // The clock is read far more often than it changes: only what is new is written, with the number
  // of the reading.
  template <class Value>
  Value Read(std::string_view clock, std::uint64_t& readings, Value& last, Value now) {
    ++readings;
    if (readings == 1 || now != last) {
      if constexpr (requires { now.time_since_epoch(); }) {
        Write(clock, readings, fmt::format("{}", now.time_since_epoch().count()));
      } else {
        Write(clock, readings, fmt::format("{}", now.count()));
      }
      last = now;
    }
    return now;
  }

  std::ostream& out;
  std::uint64_t tasks = 0;
  std::uint64_t requests = 0;
  std::uint64_t now_readings = 0;
  std::uint64_t monotonic_readings = 0;
  Time last_now{};
  Duration last_monotonic{};
};

Recorder::Recorder(std::ostream& out) : log_(std::make_shared<Log>(out)) {
  out << kRecordingHeader << '\n';
}

void Recorder::Note(std::string_view name, std::string_view text) {
  log_->Write("note", 0, QuoteText(fmt::format("{} {}", name, text)));
}

// ---- the loop

RecordingLoop::RecordingLoop(Loop& loop, Recorder recorder) : loop_(loop), log_(recorder.log_) {}

Time RecordingLoop::Now() const {
  return log_->Read("now", log_->now_readings, log_->last_now, loop_.Now());
}

Duration RecordingLoop::Monotonic() const {
  return log_->Read("monotonic", log_->monotonic_readings, log_->last_monotonic, loop_.Monotonic());
}

Callback RecordingLoop::Recorded(Callback callback) {
  return [log = log_, number = ++log_->tasks, callback = std::move(callback)]() mutable {
    log->Write("run", number);
    callback();
  };
}

void RecordingLoop::Post(Callback callback) { loop_.Post(Recorded(std::move(callback))); }

TimerId RecordingLoop::Schedule(Duration delay, Callback callback) {
  return loop_.Schedule(delay, Recorded(std::move(callback)));
}

// ---- the API

class RecordingApiClient::RecordedWatch final : public kube::WatchStream,
                                                public kube::WatchObserver {
 public:
  RecordedWatch(std::shared_ptr<Recorder::Log> log, std::uint64_t number,
                kube::WatchObserver& observer)
      : log_(std::move(log)), number_(number), observer_(observer) {}

  void Hold(std::unique_ptr<kube::WatchStream> stream) { stream_ = std::move(stream); }

  void OnFrame(std::string_view frame) override {
    log_->Write("frame", number_, QuoteText(frame));
    observer_.OnFrame(frame);  // may destroy this
  }
  void OnEnd(const Error& error) override {
    log_->Write("end", number_, ErrorText(error));
    observer_.OnEnd(error);  // may destroy this
  }

 private:
  std::shared_ptr<Recorder::Log> log_;
  std::uint64_t number_;
  kube::WatchObserver& observer_;
  std::unique_ptr<kube::WatchStream> stream_;
};

RecordingApiClient::RecordingApiClient(kube::ApiClient& api, RecordingLoop& loop, Recorder recorder)
    : api_(api), loop_(loop), log_(recorder.log_) {}

void RecordingApiClient::Send(kube::ApiRequest request, kube::ApiHandler handler) {
  const std::uint64_t number = ++log_->requests;
  log_->Write("request", number, RequestText(request));
  api_.Send(std::move(request), [log = log_, number, handler = std::move(handler)](
                                    Result<kube::ApiResponse> result) mutable {
    if (result) {
      log->Write("answer", number, fmt::format("{} {}", result->status, QuoteText(result->body)));
    } else {
      log->Write("error", number, ErrorText(result.error()));
    }
    handler(std::move(result));
  });
}

std::unique_ptr<kube::WatchStream> RecordingApiClient::Watch(kube::ApiRequest request,
                                                             kube::WatchObserver& observer) {
  const std::uint64_t number = ++log_->requests;
  log_->Write("request", number, RequestText(request));
  auto watch = std::make_unique<RecordedWatch>(log_, number, observer);
  watch->Hold(api_.Watch(std::move(request), *watch));
  return watch;
}

}  // namespace basalt::scheduler
