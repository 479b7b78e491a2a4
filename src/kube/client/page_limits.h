#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <string>

namespace basalt::kube {

// How many objects of a collection to ask for in one page. A collection whose objects are so large
// that a page of them does not fit is read in smaller ones, and in larger ones again once they turn
// out small. Remembered from one list to the next. Owned by a Client; loop thread only.
class PageLimits {
 public:
  // What to begin with for the collection at `path`, where its reader asks for `asked`; 0: all.
  int Of(const std::string& path, int asked) const;
  // A page of `limit` objects was too large: what to ask for instead. 0: not even one fits.
  int Shrink(const std::string& path, int limit);
  // A page of `limit` objects had `bytes`: how many the next one may have.
  int Fitted(const std::string& path, int limit, int asked, std::size_t bytes);

 private:
  boost::unordered_flat_map<std::string, int> smaller_;  // than asked, by path
};

}  // namespace basalt::kube
