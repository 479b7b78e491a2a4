#include "dashboard/feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
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

std::string Event(std::string_view name, const json::value& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, json::serialize(data));
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

json::object Difference(const json::object& before, const json::object& now) {
  json::object out;
  for (const auto& [key, value] : now) {
    const json::value* old = before.if_contains(key);
    if (old && *old == value) continue;
    if (key != "nodes" || !old || !old->is_array() || !value.is_array()) {
      out[key] = value;
      continue;
    }
    const auto was = ByName(old->as_array());
    const auto is = ByName(value.as_array());
    json::array changed, gone;
    for (const auto& [name, row] : is) {
      const auto same = was.find(name);
      if (same == was.end() || *same->second != *row) changed.push_back(*row);
    }
    for (const auto& [name, row] : was) {
      if (!is.contains(name)) gone.emplace_back(name);
    }
    out["nodesChanged"] = std::move(changed);
    out["nodesGone"] = std::move(gone);
  }
  return out;
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
  // Where nothing is known it is asked again soon, also for those who come later.
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
  const bool had_problem = !std::exchange(problem_, "").empty();
  // That cycles run is nothing that anybody waits to see.
  const json::object changes = Difference(overview_, overview);
  const bool same = version_ > 0 && std::ranges::all_of(changes, [](const auto& change) {
                      return change.key() == "version" || change.key() == "cycleMilliseconds";
                    });
  if (same && !had_problem) return TellPages();  // those who could not take it before
  overview_ = std::move(overview);
  ++version_;
  told_before_ = std::exchange(told_, {});
  TellPages();
}

Feed::Told& Feed::ToldTo(const Sight& sight) {
  const auto [it, is_new] = told_.try_emplace(sight.Key());
  Told& told = it->second;
  if (!is_new) return told;
  json::value visible(overview_);
  Hide(sight, visible);
  told.visible = std::move(visible.as_object());
  if (const auto before = told_before_.find(sight.Key()); before != told_before_.end()) {
    told.changes = Event("change", Difference(before->second.visible, told.visible));
  }
  return told;
}

bool Feed::HasRoomFor(const std::string& text) const {
  std::size_t unsent = 0;
  for (const auto& [id, page] : pages_) unsent += page.exchange->Unsent();
  return unsent == 0 || unsent + text.size() <= kMostUnsent;
}

void Feed::Tell(Page& page) {
  if (version_ == 0 || page.has == version_ || page.exchange->Unsent() > 0) return;
  Told& told = ToldTo(page.sight);
  const bool follows = page.has > 0 && page.has == version_ - 1 && !told.changes.empty();
  if (!follows && told.whole.empty()) told.whole = Event("whole", told.visible);
  const std::string& text = follows ? told.changes : told.whole;
  if (!HasRoomFor(text)) return;
  page.exchange->Write(text);
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
    Told& told = ToldTo(page.sight);
    if (told.whole.empty()) told.whole = Event("whole", told.visible);
    if (HasRoomFor(told.whole)) {
      page.exchange->Write(told.whole);
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
  return version_ == 0 ? std::string() : json::serialize(ToldTo(sight).visible);
}

}  // namespace basalt::dashboard
