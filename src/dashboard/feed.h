#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/loop.h"
#include "dashboard/history.h"
#include "dashboard/sight.h"
#include "net/http.h"

namespace basalt::dashboard {

// The last overview, and the pages that are told when it changes: each gets it whole once, and from
// then on what has become otherwise. One that reads slowly misses versions and gets the next one
// whole; what waits for all slow ones together is bounded. What each page's person may see is
// reviewed now and then. The scheduler is asked only so often, whatever the number of pages; seldom
// while there is none.
//
// Nodes, by far the most of it, are the same for all: their text is made once for each version. The
// rest is made once for all pages that see the same. Of what these saw before only hashes are kept,
// so that many people with rights of their own cost little memory. Owned by the DashboardServer;
// loop thread only.
class Feed {
 public:
  // Asks for an overview; the answer's body.
  using Fetch = std::function<void(std::function<void(Result<std::string>)>)>;
  // Asks what a page's person may see now; kUnauthorized: nothing any more.
  using Review = std::function<void(std::function<void(Result<Sight>)>)>;
  Feed(Loop& loop, Fetch fetch);

  void Start() { Poll(); }
  // Writes to the exchange, a stream, from now on until its peer goes or is no longer let in.
  void Listen(std::shared_ptr<net::HttpExchange> exchange, Sight sight, Review review);
  std::size_t pages() const { return pages_.size(); }
  static constexpr std::size_t kMostPages = 250;
  // Of what slow pages have not read yet, all together: no page is told more while it is reached.
  static constexpr std::size_t kMostUnsent = 128 * 1024 * 1024;
  static constexpr Duration kReviewEvery = 2min;

  // Nothing yet: empty. As the person may see it.
  std::string OverviewFor(const Sight& sight);
  const History& history() const { return history_; }
  const std::vector<std::string>& namespaces() const { return namespaces_; }

 private:
  struct Page {
    std::shared_ptr<net::HttpExchange> exchange;
    Sight sight;
    Review review;
    std::uint64_t has = 0;  // the version that it was told last
  };
  using PageId = std::uint64_t;
  using Parts = std::vector<std::pair<std::string_view, std::string>>;  // texts by key
  // What the pages that see the same are told of this version.
  struct Told {
    std::map<std::string, std::size_t, std::less<>> hashes;  // of the texts by key
    std::string changes;  // from the version before; "": there is none, or all were told
  };
  void Poll();
  void PollLater();
  void Fetched(Result<std::string> answer);
  void TellPages();
  void Tell(Page& page);
  bool HasRoomFor(const std::string& text) const;
  void ReviewLater(PageId id);
  void Reviewed(PageId id, const Result<Sight>& sight);
  Told& ToldTo(const Sight& sight);
  // All but the nodes, as the person may see it.
  Parts VisibleTo(const Sight& sight) const;
  const std::string& WholeFor(const Sight& sight);
  const std::string& NodesText();

  Loop& loop_;
  Fetch fetch_;
  boost::json::object overview_;  // but for the nodes
  boost::json::array nodes_;
  std::string nodes_text_;    // of this version; "": not made yet
  std::string node_changes_;  // from the version before, as members of an object; "": none
  // The whole that was made last, of this version, and the Sight::Key that it is for.
  std::string whole_, whole_for_;
  std::string problem_;  // why there is no newer one
  std::uint64_t version_ = 0;
  std::map<std::string, Told> told_, told_before_;  // by Sight::Key
  std::map<PageId, Page> pages_;
  PageId last_page_ = 0;
  History history_;
  std::vector<std::string> namespaces_;
  bool fetching_ = false;
  Duration asked_{0}, took_{0};
  Timer poll_;
  Scope scope_;
};

// What turns the list `before` into `now`, as members of an object: rows that are new or otherwise,
// and names of those that are gone. "": nothing does.
std::string NodeChanges(const boost::json::array& before, const boost::json::array& now);

}  // namespace basalt::dashboard
