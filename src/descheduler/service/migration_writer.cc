#include "descheduler/service/migration_writer.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/log.h"
#include "kube/types/codec.h"
#include "kube/types/json_fields.h"
#include "kube/types/node.h"

namespace basalt::descheduler {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;
using kube::ObjectAt;
using kube::TextAt;

constexpr Duration kCoolDownRetry = 2s;
// A migration has its own patience: one attempt each, so that every answer is its own.
const kube::CallOptions kOnce{.retry = false};

json::object ParsedObject(const std::string& text) {
  boost::system::error_code broken;
  json::value value = json::parse(text, broken);
  if (broken || !value.is_object()) return {};
  return std::move(value.get_object());
}

// Of a write that failed, where nothing is known of it in particular.
Answer AnswerTo(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound: return Answer::kGone;
    case ErrorCode::kTooManyRequests:
    case ErrorCode::kConflict: return Answer::kNotNow;
    case ErrorCode::kForbidden:
    case ErrorCode::kUnauthorized:
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kInvalid:
    case ErrorCode::kUnsupported: return Answer::kRefused;
    default: return error.unsent ? Answer::kNotNow : Answer::kUnknown;
  }
}

}  // namespace

// ---- reservations

void MigrationWriter::Reserve(const Move& move, const ReservationOfMove& reservation,
                              OnReserved done) {
  auto read = [this, move, reservation,
               done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (!result) {
      const bool gone = result.error().code == ErrorCode::kNotFound;
      return done(gone ? Answer::kGone : Answer::kNotNow, "", result.error().message);
    }
    const json::object pod = ParsedObject(result->body);
    const json::object* meta = ObjectAt(pod, {"metadata"});
    if (TextAt(meta, "uid") != move.uid || !TextAt(meta, "deletionTimestamp").empty()) {
      return done(Answer::kGone, "", "");
    }
    const Result<json::object> body = ReservationBody(pod, reservation);
    if (!body) return done(Answer::kRefused, "", body.error().message);
    MakeReservation(move, reservation, json::serialize(*body), done);
  };
  client_.Get({resources::kPods, move.ns, move.pod}, scope_.Guard(std::move(read)), kOnce);
}

void MigrationWriter::MakeReservation(const Move& move, const ReservationOfMove& reservation,
                                      std::string body, OnReserved done) {
  auto made = [this, move, reservation,
               done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (result) {
      const json::object object = ParsedObject(result->body);
      return done(Answer::kDone, TextAt(ObjectAt(object, {"metadata"}), "uid"), "");
    }
    if (result.error().code == ErrorCode::kAlreadyExists) {
      return FindReservation(move, reservation, done);
    }
    // There is no such kind, or no such namespace any more.
    const bool nowhere = result.error().code == ErrorCode::kNotFound;
    done(nowhere ? Answer::kRefused : AnswerTo(result.error()), "", result.error().message);
  };
  client_.Create({resources::kReservations, move.ns}, std::move(body),
                 scope_.Guard(std::move(made)), kOnce);
}

// The reservation was made by a request whose answer was lost, or another one has the name.
void MigrationWriter::FindReservation(const Move& move, const ReservationOfMove& reservation,
                                      OnReserved done) {
  auto read = [uid = move.uid, reservation,
               done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (!result) return done(Answer::kUnknown, "", result.error().message);
    const json::object found = ParsedObject(result->body);
    if (!IsReservationOfMove(found, reservation, uid)) {
      return done(Answer::kRefused, "", "somebody else has a reservation of that name");
    }
    done(Answer::kDone, TextAt(ObjectAt(found, {"metadata"}), "uid"), "");
  };
  client_.Get({resources::kReservations, move.ns, reservation.name}, scope_.Guard(std::move(read)),
              kOnce);
}

void MigrationWriter::Unreserve(const struct Unreserve& what, OnAnswer done) {
  auto deleted = [done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (result) return done(Answer::kDone, "");
    // Another one has the name by now.
    const bool another = result.error().code == ErrorCode::kConflict;
    done(another ? Answer::kGone : AnswerTo(result.error()), result.error().message);
  };
  client_.Delete({resources::kReservations, what.ns, what.name}, {.uid = what.uid},
                 scope_.Guard(std::move(deleted)), kOnce);
}

// ---- evictions

void MigrationWriter::Evict(const Move& move, std::int64_t grace_period_s, OnAnswer done) {
  auto answered = [this, move, done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (result) return done(Answer::kDone, "");
    const Error& error = result.error();
    const Answer answer = AnswerTo(error);
    const bool clear = error.code == ErrorCode::kTooManyRequests || answer == Answer::kGone ||
                       answer == Answer::kRefused || error.code == ErrorCode::kCancelled;
    if (clear) return done(answer, error.message);
    LookWhetherItLeaves(move, answer, error.message, done);
  };
  client_.Create({resources::kPods, move.ns, move.pod, "eviction"},
                 EvictionBody(move.ns, move.pod, move.uid, grace_period_s),
                 scope_.Guard(std::move(answered)), kOnce);
}

// An answer that says neither yes nor no, or none at all.
void MigrationWriter::LookWhetherItLeaves(const Move& move, Answer otherwise, std::string why,
                                          OnAnswer done) {
  auto read = [uid = move.uid, otherwise, why = std::move(why),
               done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (!result && result.error().code == ErrorCode::kNotFound) return done(Answer::kGone, why);
    if (!result) return done(otherwise, why);
    const json::object pod = ParsedObject(result->body);
    const json::object* meta = ObjectAt(pod, {"metadata"});
    if (TextAt(meta, "uid") != uid) return done(Answer::kGone, why);
    const bool leaves = !TextAt(meta, "deletionTimestamp").empty();
    // Whether a conflict was about this pod or about a budget, the next attempt will tell.
    done(leaves && otherwise == Answer::kUnknown ? Answer::kDone : otherwise, why);
  };
  client_.Get({resources::kPods, move.ns, move.pod}, scope_.Guard(std::move(read)), kOnce);
}

// ---- nodes

void MigrationWriter::SetTaint(const struct SetTaint& taint, OnAnswer done) {
  auto read = [this, taint, done = std::move(done)](const Result<kube::ApiResponse>& result) {
    if (!result) {
      const bool gone = result.error().code == ErrorCode::kNotFound;
      return done(gone ? Answer::kGone : Answer::kNotNow, result.error().message);
    }
    const Result<kube::Node> node = kube::Decode<kube::Node>(result->body);
    if (!node) return done(Answer::kNotNow, node.error().message);
    std::optional<std::string> patch =
        taint.on ? TaintPatch(*node, taint.plan) : UntaintPatch(*node, taint.plan);
    if (!patch) return done(Answer::kDone, "");
    auto written = [done](const Result<kube::ApiResponse>& answer) {
      if (answer) return done(Answer::kDone, "");
      // The patch did not fit what is there by now.
      const ErrorCode code = answer.error().code;
      const bool again = code == ErrorCode::kInvalid || code == ErrorCode::kInvalidArgument;
      done(again ? Answer::kNotNow : AnswerTo(answer.error()), answer.error().message);
    };
    client_.Patch({resources::kNodes, "", taint.node}, kube::PatchKind::kJson, std::move(*patch),
                  scope_.Guard(std::move(written)), kOnce);
  };
  client_.Get({resources::kNodes, "", taint.node}, scope_.Guard(std::move(read)), kOnce);
}

void MigrationWriter::CoolDown(const std::string& node, const std::string& annotation, Time until,
                               int attempts) {
  auto written = [=, this](const Result<kube::ApiResponse>& result) {
    if (result || result.error().code == ErrorCode::kNotFound ||
        result.error().code == ErrorCode::kCancelled) {
      return;
    }
    if (attempts <= 1) {
      log::Warning("a node does not say that it is cooling down",
                   {{"node", node}, {"error", result.error().message}});
      return;
    }
    client_.loop().Schedule(kCoolDownRetry, scope_.Guard([=, this] {
      CoolDown(node, annotation, until, attempts - 1);
    }));
  };
  client_.Patch({resources::kNodes, "", node}, kube::PatchKind::kMerge,
                CoolDownPatch(annotation, until), scope_.Guard(std::move(written)), kOnce);
}

// ---- events

void MigrationWriter::TellPod(const Move& move, const Tell& what) {
  events_.Record({.api_version = "v1",
                  .kind = "Pod",
                  .ns = move.ns,
                  .name = move.pod,
                  .uid = move.uid,
                  .resource_version = {}},
                 what.warning ? kube::EventType::kWarning : kube::EventType::kNormal, what.reason,
                 what.message);
}

void MigrationWriter::TellNode(const std::string& uid, const Tell& what) {
  events_.Record({.api_version = "v1",
                  .kind = "Node",
                  .ns = {},
                  .name = what.node,
                  .uid = uid,
                  .resource_version = {}},
                 what.warning ? kube::EventType::kWarning : kube::EventType::kNormal, what.reason,
                 what.message);
}

}  // namespace basalt::descheduler
