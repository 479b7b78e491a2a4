#include "dashboard/feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string_view>
#include <utility>

#include "kube/types/json_fields.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

constexpr Duration kWithPages = 1s;
constexpr Duration kWithoutPages = 30s;
// An overview of a large cluster takes a while of another thread of the scheduler: not more than
// this part of its time, unless people would look at a page that stands still.
constexpr int kPartOfTime = 10;
constexpr Duration kLongestPause = 10s;

std::string EventOf(std::string_view name, std::string_view data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

std::string Event(std::string_view name, const json::value& data) {
  return EventOf(name, json::serialize(data));
}

// Adds a member to the text of an object whose end is still to come.
void AddMember(std::string& object, std::string_view member) {
  object += object.size() > 1 ? "," : "";
  object += member;
}

std::string Member(std::string_view key, std::string_view text) {
  return fmt::format("{}:{}", json::serialize(json::string_view(key)), text);
}

// That cycles run is no news for a page.
bool SaysTheSame(const json::object& before, const json::object& now) {
  return before.size() == now.size() && std::ranges::all_of(now, [&](const auto& member) {
           const json::value* old = before.if_contains(member.key());
           return old && (member.key() == "version" || member.key() == "cycleMilliseconds" ||
                          *old == member.value());
         });
}

std::string PersonEvent(const Sight& sight) {
  return Event("person", json::object{{"name", sight.person},
                                      {"everything", sight.everything},
                                      {"mayDefragment", sight.may_defragment}});
}

std::map<std::string_view, const json::value*> ByName(const json::array& rows) {
  std::map<std::string_view, const json::value*> out;
  for (const json::value& row : rows) {
    if (const json::object* object = row.if_object()) {
      if (const json::value* name = object->if_contains("name"); name && name->is_string()) {
        out[std::string_view(name->as_string())] = &row;
      }
    }
  }
  return out;
}

}  // namespace

std::string NodeChanges(const json::array& before, const json::array& now) {
  const auto was = ByName(before);
  const auto is = ByName(now);
  json::array changed, gone;
  for (const auto& [name, row] : is) {
    const auto same = was.find(name);
    if (same == was.end() || *same->second != *row) changed.push_back(*row);
  }
  for (const auto& [name, row] : was) {
    if (!is.contains(name)) gone.emplace_back(name);
  }
  if (changed.empty() && gone.empty()) return "";
  return Member("nodesChanged", json::serialize(changed)) + "," +
         Member("nodesGone", json::serialize(gone));
}

Feed::Feed(Loop& loop, Fetch fetch) : loop_(loop), fetch_(std::move(fetch)), poll_(loop) {}

void Feed::Poll() {
  poll_.Stop();
  if (std::exchange(fetching_, true)) return;
  asked_ = loop_.Monotonic();
  fetch_(scope_.Guard([this](Result<std::string> answer) {
    fetching_ = false;
    Fetched(std::move(answer));
    took_ = loop_.Monotonic() - asked_;
    PollLater();
  }));
}

void Feed::PollLater() {
  if (fetching_) return;
  // Where nothing is known it is asked again soon, also for pages that come later.
  const bool seldom = pages_.empty() && problem_.empty();
  const Duration pause = std::max(seldom ? kWithoutPages : kWithPages,
                                  std::min<Duration>(took_ * kPartOfTime, kLongestPause));
  poll_.Start(std::max(Duration::zero(), asked_ + pause - loop_.Monotonic()), [this] { Poll(); });
}

void Feed::Fetched(Result<std::string> answer) {
  boost::system::error_code broken;
  json::value parsed = answer ? json::parse(*answer, broken) : json::value();
  if (!answer || broken || !parsed.is_object()) {
    const std::string problem =
        answer ? "the scheduler's answer cannot be read" : answer.error().message;
    if (std::exchange(problem_, problem) != problem) {
      const std::string text = Event("problem", json::object{{"message", problem}});
      for (auto& [id, page] : pages_) {
        if (page.exchange->Unsent() == 0) page.exchange->Write(text);
      }
    }
    return;
  }
  json::object overview = std::move(parsed.as_object());
  namespaces_.clear();
  for (const json::value& ns : kube::ArrayAt(&overview, "namespaces")) {
    if (ns.is_string()) namespaces_.emplace_back(ns.as_string());
  }
  overview.erase("namespaces");
  history_.Add(loop_.Now(), overview);
  json::array nodes;
  if (json::value* listed = overview.if_contains("nodes"); listed && listed->is_array()) {
    nodes = std::move(listed->as_array());
    overview.erase("nodes");
  }
  const bool had_problem = !std::exchange(problem_, "").empty();
  std::string node_changes = NodeChanges(nodes_, nodes);
  const bool same = version_ > 0 && node_changes.empty() && SaysTheSame(overview_, overview);
  if (same && !had_problem) return TellPages();  // those that could not take it before
  overview_ = std::move(overview);
  nodes_ = std::move(nodes);
  node_changes_ = std::move(node_changes);
  nodes_text_.clear();
  whole_.clear();
  ++version_;
  told_before_ = std::exchange(told_, {});
  TellPages();
  // A page that could not take the changes now gets the next version whole.
  for (auto& [key, told] : told_) told.changes = {};
}

Feed::Parts Feed::VisibleTo(const Sight& sight) const {
  Parts parts;
  parts.reserve(overview_.size());
  for (const auto& [key, value] : overview_) {
    if (sight.everything) {
      parts.emplace_back(key, json::serialize(value));
      continue;
    }
    json::value visible = value;
    Hide(sight, visible);
    parts.emplace_back(key, json::serialize(visible));
  }
  return parts;
}

const std::string& Feed::NodesText() {
  if (nodes_text_.empty()) nodes_text_ = Member("nodes", json::serialize(nodes_));
  return nodes_text_;
}

const std::string& Feed::WholeFor(const Sight& sight) {
  const std::string key = sight.Key();
  if (!whole_.empty() && whole_for_ == key) return whole_;
  whole_ = "{";
  for (const auto& [name, text] : VisibleTo(sight)) AddMember(whole_, Member(name, text));
  AddMember(whole_, NodesText());
  whole_ += "}";
  whole_for_ = key;
  return whole_;
}

Feed::Told& Feed::ToldTo(const Sight& sight) {
  const std::string key = sight.Key();
  const auto [it, is_new] = told_.try_emplace(key);
  Told& told = it->second;
  if (!is_new) return told;
  const auto before = told_before_.find(key);
  std::string changes = "{";
  for (const auto& [name, text] : VisibleTo(sight)) {
    const std::size_t hash = std::hash<std::string>()(text);
    told.hashes.emplace(name, hash);
    if (before == told_before_.end()) continue;
    const auto old = before->second.hashes.find(name);
    if (old == before->second.hashes.end() || old->second != hash) {
      AddMember(changes, Member(name, text));
    }
  }
  if (before == told_before_.end()) return told;
  if (!node_changes_.empty()) AddMember(changes, node_changes_);
  told.changes = EventOf("change", changes + "}");
  return told;
}

bool Feed::HasRoomFor(const std::string& text) const {
  std::size_t unsent = 0;
  for (const auto& [id, page] : pages_) unsent += page.exchange->Unsent();
  return unsent == 0 || unsent + text.size() <= kMostUnsent;
}

void Feed::Tell(Page& page) {
  if (version_ == 0 || page.has == version_ || page.exchange->Unsent() > 0) return;
  const Told& told = ToldTo(page.sight);
  const bool follows = page.has > 0 && page.has == version_ - 1 && !told.changes.empty();
  std::string text = follows ? told.changes : EventOf("whole", WholeFor(page.sight));
  if (!HasRoomFor(text)) return;
  page.exchange->Write(std::move(text));
  page.has = version_;
}

void Feed::TellPages() {
  for (auto& [id, page] : pages_) Tell(page);
}

void Feed::Listen(std::shared_ptr<net::HttpExchange> exchange, Sight sight, Review review) {
  exchange->StartStream(200, "text/event-stream");
  exchange->Write(PersonEvent(sight));
  if (!problem_.empty()) exchange->Write(Event("problem", json::object{{"message", problem_}}));
  const PageId id = ++last_page_;
  exchange->OnPeerGone(scope_.Guard([this, id] { pages_.erase(id); }));
  Page& page = pages_[id];
  page = {.exchange = std::move(exchange), .sight = std::move(sight), .review = std::move(review)};
  // What was written is on its way; the first overview goes with it.
  if (version_ > 0) {
    ToldTo(page.sight);  // so that it is known what follows
    std::string whole = EventOf("whole", WholeFor(page.sight));
    if (HasRoomFor(whole)) {
      page.exchange->Write(std::move(whole));
      page.has = version_;
    }
  }
  ReviewLater(id);
  PollLater();
}

void Feed::ReviewLater(PageId id) {
  loop_.Schedule(kReviewEvery, scope_.Guard([this, id] {
    const auto page = pages_.find(id);
    if (page == pages_.end()) return;
    page->second.review(
        scope_.Guard([this, id](const Result<Sight>& sight) { Reviewed(id, sight); }));
  }));
}

void Feed::Reviewed(PageId id, const Result<Sight>& sight) {
  const auto found = pages_.find(id);
  if (found == pages_.end()) return;
  Page& page = found->second;
  const bool refused = !sight && (sight.error().code == ErrorCode::kUnauthorized ||
                                  sight.error().code == ErrorCode::kForbidden);
  if (refused) {
    // It asks again, and is told why it is let in no longer.
    const auto exchange = page.exchange;
    pages_.erase(found);
    return exchange->End();
  }
  ReviewLater(id);
  // Without an answer just now, what was known goes on.
  if (!sight || *sight == page.sight) return;
  page.sight = *sight;
  page.has = 0;
  page.exchange->Write(PersonEvent(page.sight));
  Tell(page);
}

std::string Feed::OverviewFor(const Sight& sight) {
  return version_ == 0 ? std::string() : WholeFor(sight);
}

}  // namespace basalt::dashboard
