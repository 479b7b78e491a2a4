#include "descheduler/migration/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kube/types/reasons.h"
#include "model/reservation_match.h"

namespace basalt::descheduler {
namespace {

// Until what was refused or lost is tried again.
constexpr Duration kAgain = 1s;
// A node is told to cool down when its source is empty, but so long after the eviction at most.
constexpr Duration kMostUncooled = 5s;
// So long a replacement keeps its place among those that are away while it starts. One that takes
// longer starts beside the next.
constexpr Duration kMostStarting = 1s;

// Moves with the same one have replacements of which any may take the place of any other.
std::string PoolOf(const kube::Pod& pod) {
  const kube::OwnerReference* controller = pod.meta.Controller();
  return fmt::format("{}/{}/{}", pod.meta.ns, controller ? controller->uid : pod.meta.uid,
                     model::QuickShape(pod.spec));
}

}  // namespace

Migration::Migration(Plan plan) : plan_(std::move(plan)), progress_(plan_.moves.size()) {
  std::map<std::string, std::size_t> by_node;
  for (std::size_t i = 0; i < plan_.moves.size(); ++i) {
    const auto [found, is_new] = by_node.try_emplace(plan_.moves[i].from, sources_.size());
    if (is_new) sources_.push_back({.node = plan_.moves[i].from});
    sources_[found->second].moves.push_back(i);
    progress_[i].source = found->second;
    progress_[i].place.node = plan_.moves[i].to;
  }
  plan_.state = sources_.empty() ? PlanState::kSucceeded : PlanState::kRunning;
}

bool Migration::Owns(std::string_view ns, std::string_view name) const {
  const auto found = by_reservation_.find(name);
  return found != by_reservation_.end() && plan_.moves[found->second].ns == ns;
}

std::vector<Act> Migration::Step(Duration now, const World& world) {
  now_ = now;
  world_ = &world;
  wake_at_.reset();
  CoolDownUntil(now_);
  for (bool more = true; more;) {
    StartSources();
    LookAtPlaces();
    ExchangeTaken();
    CountPools();
    for (const std::size_t source : active_) OpenSource(sources_[source]);
    ForEachActiveMove([this](std::size_t move) { Advance(move); });
    more = std::erase_if(active_, [this](std::size_t i) { return CloseSource(sources_[i]); }) > 0;
  }
  if (ended() && plan_.state == PlanState::kRunning) {
    const bool well = std::ranges::all_of(
        plan_.moves, [](const Move& move) { return move.state == MoveState::kSucceeded; });
    plan_.state = well ? PlanState::kSucceeded : PlanState::kFailed;
  }
  world_ = nullptr;
  return std::exchange(acts_, {});
}

// ---- sources

std::size_t Migration::UnendedMoves() {
  std::size_t count = 0;
  ForEachActiveMove([&](std::size_t move) { count += progress_[move].stage != Stage::kEnded; });
  return count;
}

bool Migration::StartSources() {
  std::size_t under_way = UnendedMoves();
  const std::size_t before = started_;
  while (started_ < sources_.size() &&
         under_way < static_cast<std::size_t>(std::max(1, rules().max_parallel))) {
    under_way += sources_[started_].moves.size();
    active_.push_back(started_);
    Start(started_++);
  }
  return started_ > before;
}

void Migration::Start(std::size_t index) {
  Source& source = sources_[index];
  TellNode(source, reasons::kDefragmenting, false,
           fmt::format("pods that are to move away: {}", source.moves.size()));
  for (const std::size_t i : source.moves) {
    Progress& progress = progress_[i];
    progress.stage = Stage::kReserving;
    progress.deadline = now_ + Timeout();
    plan_.moves[i].state = MoveState::kReserving;
    if (const kube::Pod* pod = PodThatStays(i)) progress.pool = PoolOf(*pod);
  }
}

void Migration::OpenSource(Source& source) {
  if (source.failed) return;
  if (!source.opened) {
    source.opened = std::ranges::all_of(source.moves, [this](std::size_t i) {
      return progress_[i].stage == Stage::kReserving && progress_[i].place.held;
    });
  }
  if (!source.opened || !rules().taints_sources || source.tainted || source.taint_asked) return;
  if (std::ranges::all_of(source.moves,
                          [this](std::size_t i) { return progress_[i].stage == Stage::kEnded; })) {
    return;  // the taint was taken away for good
  }
  if (now_ < source.again) return WakeAt(source.again);
  source.taint_asked = source.taint_may_be_on = true;
  source.again = now_ + kAgain;
  acts_.push_back(SetTaint{.node = source.node, .plan = plan_.id, .on = true});
}

bool Migration::CloseSource(Source& source) {
  const bool over = std::ranges::all_of(
      source.moves, [this](std::size_t i) { return progress_[i].stage == Stage::kEnded; });
  if (over) CoolDownUntil(Duration::max());
  bool clean = true;
  for (const std::size_t i : source.moves) {
    if (progress_[i].stage != Stage::kEnded) continue;
    // What was taken holds nothing any more, and can wait.
    if (over || !progress_[i].place.taken) clean &= GiveBack(i);
  }
  if (!over || !TakeTaintAway(source) || !clean) return false;
  if (source.failed) {
    const auto failed = std::ranges::find(source.moves, MoveState::kFailed,
                                          [this](std::size_t i) { return plan_.moves[i].state; });
    const Move* move = failed == source.moves.end() ? nullptr : &plan_.moves[*failed];
    TellNode(source, reasons::kDefragmentationFailed, true,
             move ? fmt::format("pod {}/{}: {}", move->ns, move->pod, move->reason) : "");
  } else {
    TellNode(source, reasons::kDefragmented, false,
             fmt::format("pods that have moved away: {}", source.moves.size()));
  }
  return true;
}

bool Migration::TakeTaintAway(Source& source) {
  if (!source.taint_may_be_on) return true;
  if (source.taint_asked) return false;
  if (now_ < source.again) {
    WakeAt(source.again);
    return false;
  }
  source.taint_asked = true;
  source.again = now_ + kAgain;
  acts_.push_back(SetTaint{.node = source.node, .plan = plan_.id, .on = false});
  return false;
}

void Migration::TaintSet(const std::string& node, bool on, Answer answer) {
  for (const std::size_t index : active_) {
    Source& source = sources_[index];
    if (source.node != node) continue;
    source.taint_asked = false;
    if (answer == Answer::kDone) source.tainted = source.taint_may_be_on = on;
    // A node that is gone has no taints; its pods follow it.
    if (answer == Answer::kGone) {
      source.tainted = on;
      source.taint_may_be_on = false;
    }
    if (answer == Answer::kDone || answer == Answer::kGone) source.again = Duration{0};
    // To go on without the taint would be to free nothing: others would come.
    if (on && answer == Answer::kRefused) {
      source.taint_may_be_on = false;
      for (const std::size_t i : source.moves) {
        if (progress_[i].stage == Stage::kReserving) {
          return Fail(i, reasons::kEvictionRefused, "the taint of its node was refused");
        }
      }
    }
  }
}

// ---- places

Duration Migration::TimeToLive() {
  const auto parallel = static_cast<std::size_t>(std::max(1, rules().max_parallel));
  // It must be held, wait for its turn behind all the others that are under way, go and be
  // replaced.
  const std::size_t turns = UnendedMoves() / parallel + 1;
  return Timeout() * static_cast<std::int64_t>(2 * turns + 2);
}

void Migration::TryToReserve(std::size_t i) {
  Place& place = progress_[i].place;
  if (!place.uid.empty() || place.asked) return;
  if (now_ < place.again) return WakeAt(place.again);
  if (place.name.empty()) {
    place.name = fmt::format("migration-{}-{}", plan_.id, i);
    by_reservation_[place.name] = i;
  }
  place.asked = place.may_be_there = true;
  place.again = now_ + kAgain;
  acts_.push_back(Reserve{.move = i, .name = place.name, .ttl = TimeToLive()});
}

void Migration::Reserved(std::size_t i, Answer answer, const std::string& uid,
                         const std::string& message) {
  Progress& progress = progress_[i];
  Place& place = progress.place;
  place.asked = false;
  if (answer == Answer::kDone) place.uid = uid;
  if (answer == Answer::kGone || answer == Answer::kRefused) place.may_be_there = false;
  if (progress.stage != Stage::kReserving) return;
  if (answer == Answer::kGone) Fail(i, reasons::kPodGone, "the pod is gone");
  if (answer == Answer::kRefused) {
    Fail(i, reasons::kReservationLost, fmt::format("its reservation was refused: {}", message));
  }
}

void Migration::LookAtPlaces() {
  ForEachActiveMove([this](std::size_t i) {
    if (IsOver(progress_[i])) return;
    LookAtPlace(plan_.moves[i].ns, progress_[i].place);
    // Where the plan named no node it is now known.
    if (progress_[i].place.held) plan_.moves[i].to = progress_[i].place.node;
  });
}

void Migration::LookAtPlace(const std::string& ns, Place& place) {
  place.held = place.taken = false;
  if (place.uid.empty()) return;
  const kube::Reservation* reservation = world_->Reservation(ns, place.name);
  if (!reservation || reservation->meta.uid != place.uid) {
    place.lost = place.seen;  // one that was made just now may not be known yet
    return;
  }
  place.seen = true;
  const kube::Reservation::Status& status = reservation->status;
  place.lost = reservation->meta.deleting() || status.phase == kube::ReservationPhase::kFailed;
  if (place.lost || status.placements.size() != 1) return;
  const kube::Reservation::Placement& placement = status.placements.front();
  place.taken = status.phase == kube::ReservationPhase::kSucceeded;
  const bool by_pod = status.current_owner && status.current_owner->kind == "Pod";
  if (place.taken && by_pod) place.taker = status.current_owner->name;
  place.held = status.phase == kube::ReservationPhase::kAvailable &&
               placement.phase == kube::ReservationPhase::kAvailable &&
               (place.node.empty() || placement.node == place.node);
  if (!place.held) return;
  place.node = placement.node;
  place.was_held = true;
}

// A pod that went, or may have gone, is replaced where its place was taken.
bool Migration::OwnsWhatItTook(const Progress& progress) const {
  return progress.stage == Stage::kRebinding ||
         (progress.stage == Stage::kEvicting &&
          (progress.asked || progress.answer || progress.may_be_evicted));
}

void Migration::ExchangeTaken() {
  std::map<std::string, std::vector<std::size_t>> without_place;  // by pool
  std::vector<std::size_t> too_early;
  ForEachActiveMove([&](std::size_t i) {
    const Progress& progress = progress_[i];
    if (IsOver(progress)) return;
    if (progress.place.taken && !OwnsWhatItTook(progress)) too_early.push_back(i);
    if (!progress.place.taken && OwnsWhatItTook(progress)) {
      without_place[progress.pool].push_back(i);
    }
  });
  for (const std::size_t i : too_early) {
    std::vector<std::size_t>& others = without_place[progress_[i].pool];
    // One that has gone for certain goes before one that may have.
    auto other = std::ranges::find(others, Stage::kRebinding,
                                   [this](std::size_t at) { return progress_[at].stage; });
    if (other == others.end()) other = others.begin();
    if (other == others.end()) {
      Fail(i, reasons::kReservationLost, "another pod of its controller took its place");
      continue;
    }
    std::swap(progress_[i].place, progress_[*other].place);
    std::swap(plan_.moves[i].to, plan_.moves[*other].to);
    others.erase(other);
  }
}

void Migration::CountPools() {
  pools_.clear();
  ForEachActiveMove([this](std::size_t i) {
    const Progress& progress = progress_[i];
    if (IsOver(progress)) return;
    Pool& pool = pools_[progress.pool];
    pool.held += progress.place.held;
    pool.out += IsOut(progress) && !progress.place.taken;
  });
}

bool Migration::GiveBack(std::size_t i) {
  Place& place = progress_[i].place;
  if (!place.may_be_there) return true;
  if (place.asked || place.leaving) return false;
  if (now_ < place.leave_again) {
    WakeAt(place.leave_again);
    return false;
  }
  place.leaving = true;
  place.leave_again = now_ + kAgain;
  acts_.push_back(Unreserve{.ns = plan_.moves[i].ns, .name = place.name, .uid = place.uid});
  return false;
}

void Migration::Unreserved(std::string_view name, Answer answer) {
  for (const std::size_t index : active_) {
    for (const std::size_t i : sources_[index].moves) {
      Place& place = progress_[i].place;
      if (place.name != name) continue;
      place.leaving = false;
      if (answer == Answer::kDone || answer == Answer::kGone) place.may_be_there = false;
      return;
    }
  }
}

bool Migration::FailIfTargetIsGone(std::size_t i) {
  const std::string& node = progress_[i].place.node;
  if (node.empty() || world_->Node(node)) return false;
  Fail(i, reasons::kTargetGone, fmt::format("node {} is gone", node));
  return true;
}

bool Migration::FailIfPlaceIsLost(std::size_t i) {
  if (!progress_[i].place.lost) return false;
  Fail(i, reasons::kReservationLost, "its reservation was deleted or has ended");
  return true;
}

// ---- moves

void Migration::Advance(std::size_t i) {
  switch (progress_[i].stage) {
    case Stage::kReserving: return AdvanceReserving(i);
    case Stage::kEvicting: return AdvanceEvicting(i);
    case Stage::kRebinding: return AdvanceRebinding(i);
    case Stage::kStarting: return AdvanceStarting(i);
    case Stage::kIdle:
    case Stage::kEnded: return;
  }
}

void Migration::AdvanceReserving(std::size_t i) {
  Progress& progress = progress_[i];
  if (sources_[progress.source].failed) return Cancel(i);
  const kube::Pod* pod = PodThatStays(i);
  if (!pod) return Fail(i, reasons::kPodGone, "the pod is gone");
  if (!pod->meta.Controller()) {
    return Fail(i, reasons::kEvictionRefused, "the pod has no controller that would replace it");
  }
  if (FailIfTargetIsGone(i) || FailIfPlaceIsLost(i)) return;
  if (progress.place.held) {
    if (progress.place.node == plan_.moves[i].from) {
      return Fail(i, reasons::kReservationLost, "there is room for it on its own node alone");
    }
    progress.deadline = now_ + Timeout();  // should it be lost again
    if (MayEvict(i)) AskToGo(i);
    return;
  }
  TryToReserve(i);
  if (now_ < progress.deadline) return WakeAt(progress.deadline);
  if (progress.place.was_held) {
    return Fail(i, reasons::kReservationLost, "its place is no longer held");
  }
  const kube::Reservation* reservation =
      world_->Reservation(plan_.moves[i].ns, progress.place.name);
  const std::string why = reservation ? reservation->status.message : "";
  Fail(i, reasons::kReservationTimeout,
       "its reservation did not become Available in time" +
           (why.empty() ? ", and no scheduler said why: see docs/reservations.md" : ": " + why));
}

bool Migration::MayEvict(std::size_t i) {
  const Source& source = sources_[progress_[i].source];
  if (!source.opened || (rules().taints_sources && !source.tainted)) return false;
  if (out_ >= std::max(1, rules().max_parallel)) return false;
  const Pool& pool = pools_[progress_[i].pool];
  if (pool.held <= pool.out) return false;
  // While others of its controller are away, a budget that is used up is theirs: it has room again
  // when they are replaced, and to wait for that is to wait for one's turn.
  const kube::Pod* pod = PodThatStays(i);
  if (pool.out > 0 && pod && world_->BudgetForbids(*pod)) return false;
  return GroupLetsGo(i);
}

// So many of a gang go at a time as leave its minimum running.
bool Migration::GroupLetsGo(std::size_t i) {
  Progress& progress = progress_[i];
  const kube::Pod* pod = PodThatStays(i);
  const std::optional<GroupRoom> group = pod ? world_->GroupOf(*pod) : std::nullopt;
  if (!group) return true;
  progress.group = group->name;
  int others = 0;     // that move, too
  int still_run = 0;  // of those that were asked to go: that they do was not seen yet
  ForEachActiveMove([&](std::size_t at) {
    if (at == i || progress_[at].group != group->name) return;
    const bool went = plan_.moves[at].state == MoveState::kSucceeded;
    if (!went && !IsOut(progress_[at])) return;
    others += !went;
    still_run += PodThatStays(at) != nullptr;
  });
  if (group->running - still_run > group->min_member) {
    progress.group_deadline.reset();
    return true;
  }
  if (others > 0) {
    progress.group_deadline.reset();
    return false;
  }
  if (!progress.group_deadline) progress.group_deadline = now_ + Timeout();
  if (now_ < *progress.group_deadline) {
    WakeAt(*progress.group_deadline);
    return false;
  }
  Fail(i, reasons::kEvictionRefused,
       fmt::format("its PodGroup needs all of the {} pods that run", group->running));
  return false;
}

void Migration::AskToGo(std::size_t i) {
  Progress& progress = progress_[i];
  if (progress.stage == Stage::kReserving) {
    progress.stage = Stage::kEvicting;
    progress.deadline = now_ + Timeout();
    plan_.moves[i].state = MoveState::kEvicting;
    ++out_;
    ++pools_[progress.pool].out;
  }
  progress.asked = true;
  progress.answer.reset();
  acts_.push_back(Evict{.move = i});
}

void Migration::Evicted(std::size_t i, Answer answer, const std::string& message) {
  Progress& progress = progress_[i];
  progress.asked = false;
  progress.answer = answer;
  progress.refusal = message;
}

void Migration::Accepted(std::size_t i) {
  Progress& progress = progress_[i];
  Move& move = plan_.moves[i];
  progress.stage = Stage::kRebinding;
  progress.deadline = now_ + Timeout();
  move.state = MoveState::kRebinding;
  acts_.push_back(
      Tell{.move = i,
           .node = {},
           .warning = false,
           .reason = std::string(reasons::kMigrating),
           .message = fmt::format("moves from node {} to node {}", move.from, move.to)});
  KeepCool(move.from);
  KeepCool(move.to);
  AdvanceRebinding(i);
}

void Migration::AdvanceEvicting(std::size_t i) {
  Progress& progress = progress_[i];
  if (progress.asked) return;
  if (const std::optional<Answer> answer = std::exchange(progress.answer, std::nullopt)) {
    progress.again = now_ + kAgain;
    switch (*answer) {
      case Answer::kDone: return Accepted(i);
      case Answer::kGone:
        if (progress.may_be_evicted) return Accepted(i);
        return Fail(i, reasons::kPodGone, "the pod is gone");
      case Answer::kRefused:
        if (!progress.may_be_evicted) return Fail(i, reasons::kEvictionRefused, progress.refusal);
        break;
      case Answer::kUnknown: progress.may_be_evicted = true; break;
      case Answer::kNotNow: break;
    }
  }
  if (!PodThatStays(i)) {
    if (progress.may_be_evicted) return Accepted(i);
    return Fail(i, reasons::kPodGone, "the pod is gone");
  }
  if (sources_[progress.source].failed && !progress.may_be_evicted) return Cancel(i);
  if (FailIfTargetIsGone(i) || FailIfPlaceIsLost(i)) return;
  if (now_ >= progress.deadline) {
    if (!progress.place.held) {
      return Fail(i, reasons::kReservationLost, "its place is no longer held");
    }
    return Fail(i, reasons::kEvictionRefused, progress.refusal);
  }
  WakeAt(progress.deadline);
  if (now_ < progress.again) return WakeAt(progress.again);
  if (progress.place.held && GroupLetsGo(i)) AskToGo(i);
}

void Migration::AdvanceRebinding(std::size_t i) {
  Progress& progress = progress_[i];
  if (progress.place.taken) {
    progress.stage = Stage::kStarting;
    progress.deadline = now_ + kMostStarting;
    plan_.moves[i].state = MoveState::kSucceeded;
    return AdvanceStarting(i);
  }
  if (FailIfTargetIsGone(i) || FailIfPlaceIsLost(i)) return;
  if (now_ < progress.deadline) return WakeAt(progress.deadline);
  Fail(i, reasons::kReplacementTimeout, "no pod took its place in time");
}

void Migration::AdvanceStarting(std::size_t i) {
  const Progress& progress = progress_[i];
  const kube::Pod* pod =
      progress.place.taker.empty() ? nullptr : world_->Pod(plan_.moves[i].ns, progress.place.taker);
  const bool starts = pod && pod->status.phase == kube::PodPhase::kPending;
  if (!starts || now_ >= progress.deadline) return End(i, MoveState::kSucceeded);
  WakeAt(progress.deadline);
}

void Migration::Fail(std::size_t i, std::string_view reason, std::string message) {
  Move& move = plan_.moves[i];
  move.reason = reason;
  move.message = message.empty() ? std::string(reason) : std::move(message);
  sources_[progress_[i].source].failed = true;
  acts_.push_back(Tell{.move = i,
                       .node = {},
                       .warning = true,
                       .reason = std::string(reasons::kMigrationFailed),
                       .message = fmt::format("{}: {}", move.reason, move.message)});
  End(i, MoveState::kFailed);
}

void Migration::Cancel(std::size_t i) {
  plan_.moves[i].reason = reasons::kCancelled;
  plan_.moves[i].message = "another move of its node failed before it was evicted";
  End(i, MoveState::kCancelled);
}

void Migration::End(std::size_t i, MoveState state) {
  if (IsOut(progress_[i])) --out_;
  progress_[i].stage = Stage::kEnded;
  plan_.moves[i].state = state;
}

// ---- small things

const kube::Pod* Migration::PodThatStays(std::size_t i) const {
  const Move& move = plan_.moves[i];
  const kube::Pod* pod = world_->Pod(move.ns, move.pod);
  const bool stays = pod && pod->meta.uid == move.uid && !pod->meta.deleting() && !pod->terminal();
  return stays ? pod : nullptr;
}

void Migration::TellNode(const Source& source, std::string_view reason, bool warning,
                         std::string message) {
  if (!rules().taints_sources) return;  // it is not to be emptied
  acts_.push_back(Tell{.move = std::nullopt,
                       .node = source.node,
                       .warning = warning,
                       .reason = std::string(reason),
                       .message = std::move(message)});
}

void Migration::KeepCool(const std::string& node) {
  if (rules().cool_down_ms <= 0) return;
  WakeAt(to_cool_.try_emplace(node, now_ + kMostUncooled).first->second);
}

// Those that are to be told by then.
void Migration::CoolDownUntil(Duration due) {
  std::erase_if(to_cool_, [&](const auto& entry) {
    if (entry.second <= due) {
      acts_.push_back(CoolDown{.node = entry.first});
      return true;
    }
    WakeAt(entry.second);
    return false;
  });
}

void Migration::WakeAt(Duration when) {
  if (!wake_at_ || when < *wake_at_) wake_at_ = when;
}

}  // namespace basalt::descheduler
