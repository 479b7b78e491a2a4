#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "dashboard/history.h"
#include "dashboard/sight.h"
#include "net/http.h"

namespace basalt::dashboard {

// The last overview, and the pages that are told when it changes: each gets it whole once, and from
// then on what has become otherwise. One that reads slowly misses versions and gets the next one
// whole. The scheduler is asked only so often, whatever the number of pages; seldom while there is
// none. Loop thread only.
class Feed {
 public:
  // Asks for an overview; the answer's body.
  using Fetch = std::function<void(std::function<void(Result<std::string>)>)>;
  Feed(Loop& loop, Fetch fetch);

  void Start() { Poll(); }
  // Writes to the exchange, a stream, from now on until its peer goes.
  void Listen(std::shared_ptr<net::HttpExchange> exchange, Sight sight);
  std::size_t pages() const { return pages_.size(); }
  static constexpr std::size_t kMostPages = 250;

  // Nothing yet: empty. As the person may see it.
  std::string OverviewFor(const Sight& sight);
  const History& history() const { return history_; }
  const std::vector<std::string>& namespaces() const { return namespaces_; }

 private:
  struct Page {
    std::shared_ptr<net::HttpExchange> exchange;
    Sight sight;
    std::uint64_t has = 0;  // the version that it was told last
  };
  // What all who see the same are told of this version.
  struct Told {
    boost::json::object visible;
    std::string whole;    // of this version; "": not made yet
    std::string changes;  // from the one before; "": there is none
  };
  void Poll();
  void PollLater();
  void Fetched(Result<std::string> answer);
  void TellPages();
  void Tell(Page& page);
  Told& ToldTo(const Sight& sight);

  Loop& loop_;
  Fetch fetch_;
  boost::json::object overview_;
  std::string problem_;  // why there is no newer one
  std::uint64_t version_ = 0;
  std::map<std::string, Told> told_, told_before_;  // by Sight::Key
  std::list<Page> pages_;
  History history_;
  std::vector<std::string> namespaces_;
  bool fetching_ = false;
  Duration asked_{0}, took_{0};
  Timer poll_;
  Scope scope_;
};

// What turns `before` into `now`, by key: lists of nodes by their changed and gone rows, everything
// else anew where it differs.
boost::json::object Difference(const boost::json::object& before, const boost::json::object& now);

}  // namespace basalt::dashboard
