#include "testing/replay/replay.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace basalt::scheduler {
namespace {

Result<std::int64_t> Number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("not a number: {}", text));
  }
  return value;
}

}  // namespace

// ---- the recording

Result<Recording> Recording::Read(std::istream& in) {
  Recording recording;
  std::string line;
  if (!std::getline(in, line) || line != kRecordingHeader) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("not a recording: its first line is not \"{}\"", kRecordingHeader));
  }
  for (int number = 2; std::getline(in, line); ++number) {
    const auto bad = [&](const Error& error) {
      return std::unexpected(error.Wrap(fmt::format("line {}", number)));
    };
    Result<Entry> entry = ParseEntry(line);
    if (!entry) return bad(entry.error());
    if (entry->kind == "now" || entry->kind == "monotonic") {
      const Result<std::int64_t> value = Number(entry->text);
      if (!value) return bad(value.error());
      (entry->kind == "now" ? recording.now_ : recording.monotonic_)[entry->number] = *value;
    } else if (entry->kind == "note") {
      const Result<std::string> text = UnquoteText(entry->text);
      if (!text) return bad(text.error());
      const std::size_t space = text->find(' ');
      recording.notes_.emplace_back(text->substr(0, space),
                                    space == text->npos ? "" : text->substr(space + 1));
    } else {
      recording.entries_.push_back(std::move(*entry));
    }
  }
  return recording;
}

std::string_view Recording::NoteOf(std::string_view name) const {
  for (const auto& [noted, text] : notes_) {
    if (noted == name) return text;
  }
  return "";
}

// ---- the loop

class Replay::ReplayLoop final : public Loop {
 public:
  explicit ReplayLoop(const Recording& recording) : recording_(recording) {}

  Time Now() const override {
    if (const auto it = recording_.now_.find(++now_readings_); it != recording_.now_.end()) {
      now_ = it->second;
    }
    return Time(Duration(now_));
  }
  Duration Monotonic() const override {
    if (const auto it = recording_.monotonic_.find(++monotonic_readings_);
        it != recording_.monotonic_.end()) {
      monotonic_ = it->second;
    }
    return Duration(monotonic_);
  }
  void Post(Callback callback) override { tasks_.emplace(++count_, std::move(callback)); }
  TimerId Schedule(Duration, Callback callback) override {
    tasks_.emplace(++count_, std::move(callback));
    return count_;
  }
  void Cancel(TimerId id) override { tasks_.erase(id); }

  bool RunTask(std::uint64_t number) {
    const auto it = tasks_.find(number);
    if (it == tasks_.end()) return false;
    Callback callback = std::move(it->second);
    tasks_.erase(it);
    callback();
    return true;
  }

 private:
  const Recording& recording_;
  mutable std::uint64_t now_readings_ = 0;
  mutable std::uint64_t monotonic_readings_ = 0;
  mutable std::int64_t now_ = 0;
  mutable std::int64_t monotonic_ = 0;
  std::uint64_t count_ = 0;
  boost::unordered_flat_map<std::uint64_t, Callback> tasks_;
};

// ---- the API

class Replay::ReplayApi final : public kube::ApiClient {
 public:
  explicit ReplayApi(Replay& replay) : replay_(replay) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    const std::uint64_t number = ++count_;
    handlers_.emplace(number, std::move(handler));
    replay_.Asked(number, RequestText(request));
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    const std::uint64_t number = ++count_;
    replay_.Asked(number, RequestText(request));
    observers_[number] = &observer;
    return std::make_unique<Stream>(*this, number);
  }
  Loop& loop() override { return replay_.loop(); }

  bool Answer(std::uint64_t number, Result<kube::ApiResponse> result) {
    const auto it = handlers_.find(number);
    if (it == handlers_.end()) return false;
    kube::ApiHandler handler = std::move(it->second);
    handlers_.erase(it);
    handler(std::move(result));
    return true;
  }
  kube::WatchObserver* Observer(std::uint64_t number) {
    const auto it = observers_.find(number);
    return it == observers_.end() ? nullptr : it->second;
  }

 private:
  class Stream final : public kube::WatchStream {
   public:
    Stream(ReplayApi& api, std::uint64_t number) : api_(api), number_(number) {}
    ~Stream() override { api_.observers_.erase(number_); }

   private:
    ReplayApi& api_;
    std::uint64_t number_;
  };

  Replay& replay_;
  std::uint64_t count_ = 0;
  boost::unordered_flat_map<std::uint64_t, kube::ApiHandler> handlers_;
  boost::unordered_flat_map<std::uint64_t, kube::WatchObserver*> observers_;
};

// ---- the replay

Replay::Replay(Recording recording)
    : recording_(std::move(recording)),
      loop_(std::make_unique<ReplayLoop>(recording_)),
      api_(std::make_unique<ReplayApi>(*this)) {}

Replay::~Replay() = default;

Loop& Replay::loop() { return *loop_; }
kube::ApiClient& Replay::api() { return *api_; }

void Replay::Diverge(std::string what) {
  if (divergence_.empty()) divergence_ = fmt::format("at entry {}: {}", next_, what);
}

void Replay::Asked(std::uint64_t number, std::string text) {
  const Entry asked{.kind = "request", .number = number, .text = std::move(text)};
  requests_ += ToLine(asked);
  if (!divergence_.empty()) return;
  if (next_ >= recording_.entries_.size()) {
    // The recording ended in the middle of what the role was doing.
    return;
  }
  const Entry& then = recording_.entries_[next_];
  if (then != asked) {
    return Diverge(fmt::format("asked for {}, and then it was {}", ToLine(asked), ToLine(then)));
  }
  ++next_;
}

Result<void> Replay::Take(const Entry& entry) {
  const auto missing = [&] { Diverge(fmt::format("nobody waits for {}", ToLine(entry))); };
  if (entry.kind == "run") {
    if (!loop_->RunTask(entry.number)) missing();
  } else if (entry.kind == "answer") {
    const std::size_t space = entry.text.find(' ');
    const Result<std::int64_t> status = Number(std::string_view(entry.text).substr(0, space));
    if (!status) return std::unexpected(status.error());
    Result<std::string> body =
        UnquoteText(space == entry.text.npos ? std::string_view()
                                             : std::string_view(entry.text).substr(space + 1));
    if (!body) return std::unexpected(body.error());
    if (!api_->Answer(entry.number, kube::ApiResponse{.status = static_cast<int>(*status),
                                                      .body = std::move(*body)})) {
      missing();
    }
  } else if (entry.kind == "error" || entry.kind == "end") {
    Result<Error> error = ParseErrorText(entry.text);
    if (!error) return std::unexpected(error.error());
    if (entry.kind == "error") {
      if (!api_->Answer(entry.number, std::unexpected(*std::move(error)))) missing();
    } else if (kube::WatchObserver* observer = api_->Observer(entry.number)) {
      observer->OnEnd(*error);
    } else {
      missing();
    }
  } else if (entry.kind == "frame") {
    const Result<std::string> frame = UnquoteText(entry.text);
    if (!frame) return std::unexpected(frame.error());
    kube::WatchObserver* observer = api_->Observer(entry.number);
    observer ? observer->OnFrame(*frame) : missing();
  } else {
    Diverge(fmt::format("it was not asked for: {}", ToLine(entry)));
  }
  return {};
}

Result<void> Replay::Run() {
  while (divergence_.empty() && next_ < recording_.entries_.size()) {
    const Entry& entry = recording_.entries_[next_];
    if (entry.kind != "request") ++next_;
    if (Result<void> taken = Take(entry); !taken) return taken;
  }
  if (divergence_.empty()) return {};
  return Fail(ErrorCode::kConflict, divergence_);
}

}  // namespace basalt::scheduler
