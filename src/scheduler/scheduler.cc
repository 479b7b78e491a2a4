#include "scheduler/scheduler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/cpu_time.h"
#include "base/log.h"
#include "scheduler/actions/registry.h"
#include "scheduler/explain/queue_status.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"

namespace basalt::scheduler {
namespace {

class Stopwatch {
 public:
  explicit Stopwatch(const Loop& loop) : loop_(loop), began_(loop.Monotonic()), last_(began_) {}
  // Since the last lap.
  Duration Lap() {
    const Duration before = std::exchange(last_, loop_.Monotonic());
    return last_ - before;
  }
  Duration last() const { return last_; }
  Duration total() const { return last_ - began_; }

 private:
  const Loop& loop_;
  Duration began_;
  Duration last_;
};

}  // namespace

// One cycle's way out, its bound, and the time that it takes.
class Scheduler::Cycle final : public CycleHost {
 public:
  explicit Cycle(Scheduler& scheduler)
      : scheduler_(scheduler),
        watch_(scheduler.loop_),
        budget_(scheduler.loop_, scheduler.options_.cycle_budget, scheduler.options_.cycle_steps,
                scheduler.actions_.size()) {}

  Stopwatch& watch() { return watch_; }
  // The one way in which an action runs, so that what holds for all of them is said once: it has
  // its part of the budget, finds the jobs awake that gain by what others gave up, its time is
  // taken, and the books are right afterwards. Which actions run, and in which order, the
  // configuration says.
  void Run(Action& action, Session& session) {
    budget_.BeginAction();
    session.WakeWhoGains();
    action.Run(session);
    scheduler_.times_.actions.emplace_back(action.name(), watch_.Lap());
    const AfterAction& after = scheduler_.options_.after_action;
    if (after) after(scheduler_.state_.cluster(), action.name());
  }
  std::uint64_t cycle() const override { return scheduler_.cycles_ + 1; }
  void SendOut(std::vector<model::Intent> intents) override {
    if (intents.empty()) return;
    for (const model::Intent& intent : intents) Count(intent);
    scheduler_.emit_(std::move(intents));
  }
  bool TimeIsLeft(std::string_view ns) override { return budget_.Step(ns); }
  bool HasShare(std::string_view ns) const override { return budget_.HasShare(ns); }
  bool HadTurn(model::JobId job) const override { return scheduler_.turns_.HadTurn(job); }

 private:
  void Count(const model::Intent& intent) {
    CycleTimes& times = scheduler_.times_;
    times.binds += std::holds_alternative<model::Bind>(intent);
    times.ungated += std::holds_alternative<model::Ungate>(intent);
    const auto* promise = std::get_if<model::Promise>(&intent);
    times.promises += promise && !promise->node.empty();
    model::ForEachEviction(intent, [&](const model::Evict&) { ++times.evictions; });
  }

  Scheduler& scheduler_;
  Stopwatch watch_;
  CycleBudget budget_;
};

// Read this first. A cycle works on the live state: each action decides through statements, which
// change the state at once and are undone where a job does not come together. What was decided for
// a job goes out as intents before the next job is looked at; if the API server does not take one,
// its outcome comes back and corrects the state. A cycle that has used up its budget ends between
// two jobs; the jobs that it did not reach have their turn in the next.
void Scheduler::RunOnce() {
  if (!running_ || !SomethingToDo()) return;
  // Now and then everything is looked at all the same, should something change without a word.
  constexpr int kMostQuietCycles = 10;
  const bool quiet = settled_ && !woken_ && state_.generation() == seen_generation_;
  quiet_cycles_ = quiet && quiet_cycles_ < kMostQuietCycles ? quiet_cycles_ + 1 : 0;
  seen_generation_ = state_.generation();
  woken_ = false;
  times_ = {.cycle = cycles_ + 1};

  const Duration cpu_before = ThreadCpuTime();
  Cycle cycle(*this);
  std::vector<model::Intent> news = state_.TakeNews();
  const bool had_news = !news.empty();
  cycle.SendOut(std::move(news));
  evictions_.Forget(loop_.Now());
  state_.LookAfterReservations(loop_.Now());
  Session session(state_.cluster(), *plugins_, loop_.Now(), &evictions_, &cycle);
  if (quiet_cycles_ > 0) session.MarkQuiet();
  session.SetParking(options_.park);
  times_.open = cycle.watch().Lap();
  for (const std::unique_ptr<Action>& action : actions_) cycle.Run(*action, session);
  session.Close();
  times_.close = cycle.watch().Lap();
  if (options_.after_action) options_.after_action(state_.cluster(), "close");

  ++cycles_;
  last_cycle_end_ = cycle.watch().last();
  last_cycle_took_ = times_.total = cycle.watch().total();
  times_.cpu = ThreadCpuTime() - cpu_before;
  times_.jobs_put_off = session.put_off();
  NoteMissed(session.missed());
  turns_.CycleEnded(session.looked_at(), session.put_off() > 0);
  if (const auto end = state_.cluster().reservations().next_end()) session.WakeAt(*end);
  WakeAt(session.wake_at());
  settled_ = !had_news && !session.spoke() && !session.decided() && !turns_.round_is_open();
  cycle.SendOut(std::move(session.intents()));
  if (on_cycle_) on_cycle_(times_);
  if (!queue_status_.running()) {
    queue_status_.Start(options_.queue_status_delay, [this] { TellQueues(); });
  }
  // A job may wait for what was just reserved.
  woken_ = state_.cluster().reservations().has_news();
  if (turns_.round_is_open() || woken_) CycleSoon();
}

void CheckLedgersAfter(const model::Cluster& cluster, std::string_view action) {
  constexpr std::size_t kMostTasks = 1000;
  if (cluster.tasks().live() > kMostTasks) return;
  const std::string wrong = cluster.CheckLedgers();
  if (wrong.empty()) return;
  log::Error("the books are wrong after an action", {{"action", action}, {"wrong", wrong}});
  BASALT_CHECK(false);
}

// What a session waits for besides events.
void Scheduler::WakeAt(std::optional<Time> due) {
  wake_up_.Stop();
  if (!due) return;
  wake_up_.Start(std::max(Duration::zero(), *due - loop_.Now()), [this] {
    woken_ = true;
    CycleSoon();
  });
}

Scheduler::Scheduler(Loop& loop, SchedulerOptions options, Emit emit)
    : loop_(loop),
      options_(std::move(options)),
      emit_(std::move(emit)),
      state_(options_.state),
      evictions_({.signer = options_.state.signer}),
      next_cycle_(loop),
      next_period_(loop),
      wake_up_(loop),
      next_look_at_everything_(loop),
      queue_status_(loop) {
  state_.SetDeciding(false);
}

Result<void> Scheduler::Configure(std::string_view yaml) {
  const KnownNames known{.actions = BuiltinActions().Names(), .plugins = BuiltinPlugins().Names()};
  Result<Config> config = LoadConfig(yaml, known);
  if (!config) return std::unexpected(config.error());
  return Install(*std::move(config));
}

Result<void> Scheduler::Install(Config config) {
  std::vector<std::unique_ptr<Action>> actions;
  for (const std::string& name : config.actions) {
    const ActionFactory* make = BuiltinActions().Find(name);
    Result<std::unique_ptr<Action>> action = (*make)(config.ArgumentsOf(name));
    if (!action) return std::unexpected(action.error().Wrap(config.WhereIs(name)));
    actions.push_back(std::move(*action));
  }
  Result<std::unique_ptr<PluginSet>> plugins = PluginSet::Make(std::move(config), BuiltinPlugins());
  if (!plugins) return std::unexpected(plugins.error());

  plugins_ = std::move(*plugins);
  actions_ = std::move(actions);
  question_plugins_.reset();
  evictions_.PolicyChanged();
  seen_generation_ = ~state_.generation();  // another policy may decide otherwise
  state_.cluster().UnparkAll();
  CycleSoon();
  return {};
}

void Scheduler::Start() {
  running_ = true;
  state_.SetDeciding(true);
  evictions_.Restore(state_.cluster(), loop_.Now());
  Begin();
}

void Scheduler::Begin() {
  seen_generation_ = ~state_.generation();
  LookAtEverything();
  CycleSoon();
}

SchedulerImage Scheduler::ImageWith(StateImage state) const {
  SchedulerImage image{.options = options_,
                       .config = plugins_->config(),
                       .state = std::move(state),
                       .evictions = evictions_.TakeImage(),
                       .cycles = cycles_,
                       .last_cycle_took = last_cycle_took_,
                       .taken_at = loop_.Now()};
  image.options.state.signer = nullptr;
  return image;
}

std::optional<SchedulerImage> Scheduler::TakeImage() const {
  if (!running_ || plugins_ == nullptr) return std::nullopt;
  return ImageWith(state_.TakeImage());
}

void Scheduler::TakeImageInPieces(WithImage done) {
  BASALT_CHECK(image_taker_ == nullptr);
  if (!running_ || plugins_ == nullptr) return done(std::nullopt);
  with_image_ = std::move(done);
  image_taker_ = std::make_unique<ImageTaker>(state_);
  state_.cluster().NoteChanges();
  NextPieceOfImage();
}

void Scheduler::NextPieceOfImage() {
  loop_.Post(scope_.Guard([this] {
    if (!image_taker_) return;  // it has stopped
    if (!image_taker_->Copy(options_.image_piece)) return NextPieceOfImage();
    EndImage(ImageWith(image_taker_->Finish(state_.cluster().TakeNoted())));
  }));
}

void Scheduler::EndImage(std::optional<SchedulerImage> image) {
  if (!image_taker_) return;
  image_taker_.reset();
  state_.cluster().TakeNoted();
  std::exchange(with_image_, nullptr)(std::move(image));
}

void Scheduler::Adopt(const SchedulerImage& image) {
  const Result<void> installed = Install(image.config);
  BASALT_CHECK(installed.has_value());  // it is in force elsewhere
  // Before there are tasks that would have to be sorted anew.
  state_.cluster().SetPodKeys(plugins_->pod_keys());
  state_.Adopt(image.state);
  evictions_.Adopt(image.evictions);
  cycles_ = image.cycles;
  running_ = true;
  Begin();
}

void Scheduler::LookAtEverything() {
  next_look_at_everything_.Start(options_.look_at_everything, [this] {
    LookAtEverything();
    if (state_.cluster().parking().buckets() == 0) return;
    state_.cluster().WakeAllAsCheck();
    woken_ = true;
    CycleSoon();
  });
}

void Scheduler::NoteMissed(const std::vector<model::JobId>& jobs) {
  times_.missed_wakeups = jobs.size();
  missed_wakeups_ += jobs.size();
  for (const model::JobId id : jobs) {
    const model::Job* job = state_.cluster().FindJob(id);
    if (job) log::Warning("a job was not woken though it can go on", {{"job", job->key()}});
  }
}

void Scheduler::Stop() {
  running_ = false;
  state_.SetDeciding(false);
  turns_.Reset();
  next_cycle_.Stop();
  next_period_.Stop();
  wake_up_.Stop();
  next_look_at_everything_.Stop();
  queue_status_.Stop();
  EndImage(std::nullopt);
}

bool Scheduler::SomethingToDo() const {
  if (plugins_ == nullptr) return false;
  if (woken_ || turns_.round_is_open() || state_.generation() != seen_generation_) return true;
  const model::Cluster& cluster = state_.cluster();
  return !(cluster.active_jobs().empty() && cluster.groupless_jobs().empty() &&
           !cluster.MayWake()) &&
         loop_.Monotonic() - last_cycle_end_ >= options_.period;
}

void Scheduler::CycleSoon() {
  if (!running_ || next_cycle_.running()) return;
  // A cycle is followed by a pause, in which events come in that are then dealt with together.
  // Where jobs are left that had no turn, a shorter one.
  constexpr int kPartOfPause = 4;
  const Duration whole = std::min(last_cycle_took_, options_.most_pause);
  const Duration pause =
      last_cycle_end_ + (turns_.round_is_open() ? whole / kPartOfPause : whole) - loop_.Monotonic();
  next_cycle_.Start(std::max(options_.batch_window, pause), [this] {
    RunOnce();
    next_period_.Start(options_.period, [this] { CycleSoon(); });
  });
}

void Scheduler::Apply(const model::Outcome& outcome) {
  if (outcome.kind == model::Outcome::Kind::kReservationStatus) return ReservationWritten(outcome);
  const model::Task* task = state_.cluster().FindTask(outcome.task);
  if (task == nullptr || task->uid() != outcome.uid) return;  // gone meanwhile
  if (outcome.kind == model::Outcome::Kind::kBind) {
    if (outcome.result) {
      bind_failures_.erase(outcome.uid);
    } else {
      BindRefused(*task, outcome.result.error());
    }
  } else if (outcome.kind == model::Outcome::Kind::kUngate) {
    if (outcome.result) {
      ungate_failures_.erase(outcome.uid);
    } else {
      UngateRefused(*task);
    }
  } else if (outcome.kind == model::Outcome::Kind::kEvict && !outcome.result) {
    state_.EvictionFailed(task->id, task->uid());
    evictions_.Refused(outcome.uid, loop_.Now());
  }
  CycleSoon();
}

// The first time it is tried again at once, whatever was wrong may be over; a pod that fails again
// and again waits a while, so that it is not tried in every cycle.
Duration Scheduler::PauseAfter(Failures& failures, const std::string& uid) const {
  const int before = failures[uid]++;
  if (before == 0) return Duration::zero();
  const Duration::rep factor = Duration::rep{1} << std::min(before - 1, 20);
  return std::min(options_.most_retry, options_.first_retry * factor);
}

void Scheduler::After(Duration pause, Callback then) {
  loop_.Schedule(pause, scope_.Guard([this, then = std::move(then)]() mutable {
    then();
    CycleSoon();
  }));
}

// The task's room is for others meanwhile. A task whose gang has started keeps its room for the
// first attempts: should another task take it, the rest of the gang would run in vain.
void Scheduler::BindRefused(const model::Task& task, const Error& why) {
  using AfterRefusal = ClusterState::AfterRefusal;
  constexpr Duration kGangKeepsItsRoom = 2s;
  const Duration pause = PauseAfter(bind_failures_, task.uid());
  const auto failed = [this, id = task.id, uid = task.uid()](AfterRefusal then) {
    state_.BindFailed(id, uid, then);
  };
  if (pause == Duration::zero()) return failed(AfterRefusal::kTryAgain);
  if (state_.IsOfStartedGang(task) && pause < kGangKeepsItsRoom) {
    return After(pause, [failed] { failed(AfterRefusal::kTryAgain); });
  }
  state_.SayBindRefused(task, why);
  failed(AfterRefusal::kRest);
  After(pause, [this, id = task.id, uid = task.uid()] { state_.EndRest(id, uid); });
}

// Its status is written again, a while later.
void Scheduler::ReservationWritten(const model::Outcome& outcome) {
  constexpr Duration kRetry = 1s;
  if (outcome.result) return;
  After(kRetry,
        [this, outcome] { state_.ReservationWriteFailed(outcome.ns, outcome.name, outcome.uid); });
}

void Scheduler::UngateRefused(const model::Task& task) {
  const Duration pause = PauseAfter(ungate_failures_, task.uid());
  if (pause == Duration::zero()) return state_.UngateFailed(task.id, task.uid());
  After(pause, [this, id = task.id, uid = task.uid()] { state_.UngateFailed(id, uid); });
}

// ---- what people see

std::optional<explain::Explainer> Scheduler::MakeExplainer() {
  if (!running_ || plugins_ == nullptr) return std::nullopt;
  if (!question_plugins_) {
    // Made before from the same configuration.
    question_plugins_ = std::move(*PluginSet::Make(plugins_->config(), BuiltinPlugins()));
  }
  return explain::Explainer(state_.cluster(), *question_plugins_, loop_.Now(), &evictions_);
}

void Scheduler::TellQueues() {
  std::vector<model::Intent> intents = explain::QueueStatusIntents(state_.cluster());
  std::vector<model::Intent> cycles = explain::QueueCycleEvents(state_.cluster());
  if (std::exchange(queue_cycles_, cycles.size()) != cycles.size()) {
    std::ranges::move(cycles, std::back_inserter(intents));
  }
  if (!intents.empty()) emit_(std::move(intents));
}

}  // namespace basalt::scheduler
