#include "descheduler/service/migrator.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/log.h"
#include "descheduler/migration/bodies.h"
#include "descheduler/migration/plan_ids.h"

namespace basalt::descheduler {

Migrator::Migrator(Loop& loop, kube::Client& client, kube::EventRecorder& events,
                   const Informers& informers, const ClusterWorld& world, Options options)
    : loop_(loop),
      events_(events),
      informers_(informers),
      world_(world),
      options_(std::move(options)),
      writer_(client, events),
      leftovers_(options_.descheduler),
      timer_(loop) {
  for (const MoveState state : {MoveState::kSucceeded, MoveState::kFailed, MoveState::kCancelled}) {
    Count(state, 0);  // so that it is there from the start
  }
}

void Migrator::Run(Plan plan, std::vector<std::string> queues,
                   std::function<void(const Plan&)> done) {
  log::Info("a plan is carried out", {{"plan", plan.id}, {"moves", plan.moves.size()}});
  run_ = std::make_unique<CurrentRun>(std::move(plan));
  run_->queues = std::move(queues);
  run_->done = std::move(done);
  LookSoon();
}

// ---- what happens

void Migrator::Consume(const kube::InformerEvent<kube::Reservation>& event) {
  const kube::Reservation* object = event.object ? event.object.get() : event.old_object.get();
  if (!object) return;
  const bool ours =
      event.object && object->meta.labels.Find(kDeschedulerLabel) == options_.descheduler;
  const std::pair key(object->meta.ns, object->meta.name);
  const bool was = ours_.contains(key);
  if (ours) ours_.insert(key);
  if (!ours) ours_.erase(key);
  if (ours || was) LookSoon();
}

void Migrator::Consume(const kube::InformerEvent<kube::Node>& event) {
  const kube::Node* object = event.object ? event.object.get() : event.old_object.get();
  if (!object) return;
  const bool tainted = event.object && !TaintingPlan(*object).empty();
  if (tainted) tainted_.insert(object->meta.name);
  if (!tainted) tainted_.erase(object->meta.name);
  LookSoon();
}

// What happens together is looked at together.
void Migrator::LookSoon() {
  if (std::exchange(look_is_due_, true)) return;
  loop_.Post(scope_.Guard([this] {
    look_is_due_ = false;
    Look();
  }));
}

void Migrator::Look() {
  std::optional<Duration> wake_at;
  if (run_) {
    for (const Act& act : run_->migration.Step(loop_.Monotonic(), world_)) Do(act);
    wake_at = run_->migration.wake_at();
    if (run_->migration.ended()) {
      const std::unique_ptr<CurrentRun> ended = std::move(run_);
      CountEnded(ended->migration.plan());
      ended->done(ended->migration.plan());
      LookSoon();
    }
  }
  events_.SetBusy(run_ && run_->migration.away() > 0);
  LookAtLeftovers();
  const std::optional<Duration> also = leftovers_.wake_at();
  if (also && (!wake_at || *also < *wake_at)) wake_at = also;
  timer_.Stop();
  if (!wake_at) return;
  timer_.Start(std::max(Duration::zero(), *wake_at - loop_.Monotonic()), [this] { Look(); });
}

void Migrator::LookAtLeftovers() {
  Leftovers::Sight sight;
  sight.pod_stays = [this](std::string_view ns, std::string_view uid) {
    return world_.PodStays(ns, uid);
  };
  for (const auto& [ns, name] : ours_) {
    if (run_ && run_->migration.Owns(ns, name)) continue;
    if (auto found = informers_.Of<kube::Reservation>().store().Find(ns, name)) {
      sight.reservations.push_back(std::move(found));
    }
  }
  for (const std::string& name : tainted_) {
    auto node = informers_.Of<kube::Node>().store().Find("", name);
    if (!node || (run_ && TaintingPlan(*node) == plan().id)) continue;
    sight.nodes.push_back(std::move(node));
  }
  for (const Act& act : leftovers_.Step(loop_.Monotonic(), options_.leftover_wait(), sight)) {
    if (const auto* unreserve = std::get_if<Unreserve>(&act)) {
      log::Info("a reservation is left of an earlier migration",
                {{"namespace", unreserve->ns}, {"name", unreserve->name}});
    }
    Do(act);
  }
}

// ---- what is done

void Migrator::Do(const Act& act) {
  if (const auto* reserve = std::get_if<Reserve>(&act)) return DoReserve(*reserve);
  if (const auto* unreserve = std::get_if<Unreserve>(&act)) return DoUnreserve(*unreserve);
  if (const auto* taint = std::get_if<SetTaint>(&act)) return DoSetTaint(*taint);
  if (const auto* tell = std::get_if<Tell>(&act)) return DoTell(*tell);
  if (const auto* cool = std::get_if<CoolDown>(&act)) {
    const MigrationRules& rules = plan().rules;
    return writer_.CoolDown(cool->node, rules.cool_down_annotation,
                            loop_.Now() + std::chrono::milliseconds(rules.cool_down_ms));
  }
  if (const auto* evict = std::get_if<Evict>(&act)) {
    const std::size_t move = evict->move;
    writer_.Evict(plan().moves[move], plan().rules.grace_period_s,
                  [this, move](Answer answer, const std::string& why) {
                    run_->migration.Evicted(move, answer, why);
                    LookSoon();
                  });
  }
}

void Migrator::DoReserve(const Reserve& act) {
  const Move& move = plan().moves[act.move];
  const ReservationOfMove reservation{.name = act.name,
                                      .plan = plan().id,
                                      .descheduler = options_.descheduler,
                                      .queue = run_->queues[act.move],
                                      .target = move.to,
                                      .ttl = act.ttl};
  writer_.Reserve(
      move, reservation,
      [this, index = act.move](Answer answer, const std::string& uid, const std::string& why) {
        run_->migration.Reserved(index, answer, uid, why);
        LookSoon();
      });
}

void Migrator::DoUnreserve(const Unreserve& act) {
  writer_.Unreserve(act, [this, ns = act.ns, name = act.name](Answer answer, const std::string&) {
    if (run_ && run_->migration.Owns(ns, name)) {
      run_->migration.Unreserved(name, answer);
    } else {
      leftovers_.Unreserved(ns, name, answer);
    }
    LookSoon();
  });
}

void Migrator::DoSetTaint(const SetTaint& act) {
  writer_.SetTaint(act, [this, act](Answer answer, const std::string& why) {
    if (answer != Answer::kDone && answer != Answer::kGone) {
      log::Warning("a node's taint cannot be changed",
                   {{"node", act.node}, {"taint", act.on ? "on" : "off"}, {"error", why}});
    }
    if (run_ && act.plan == plan().id) {
      run_->migration.TaintSet(act.node, act.on, answer);
    } else {
      leftovers_.TaintSet(act.node, answer);
    }
    LookSoon();
  });
}

void Migrator::DoTell(const Tell& act) {
  if (act.move) return writer_.TellPod(plan().moves[*act.move], act);
  const kube::Node* node = world_.Node(act.node);
  writer_.TellNode(node ? node->meta.uid : "", act);
}

void Migrator::CountEnded(const Plan& plan) {
  log::Info("a plan has ended", {{"plan", plan.id}, {"state", ToString(plan.state)}});
  for (const Move& move : plan.moves) Count(move.state, 1);
}

void Migrator::Count(MoveState state, double moves) {
  if (!options_.metrics) return;
  options_.metrics
      ->GetCounter("basalt_migrations_total", "Moves of pods that have ended, by how",
                   {{"outcome", ToLower(ToString(state))}})
      .Add(moves);
}

}  // namespace basalt::descheduler
