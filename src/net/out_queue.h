#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace basalt::net {

// Bytes on their way out. Small pieces are joined, so that a head and its body leave as one TLS
// record; large ones are kept as they are, not copied. A plain value, owned by a connection.
class OutQueue {
 public:
  void Append(std::string piece) {
    if (piece.empty()) return;
    size_ += piece.size();
    if (!pieces_.empty() && pieces_.back().size() + piece.size() <= kJoined) {
      pieces_.back() += piece;
    } else {
      pieces_.push_back(std::move(piece));
    }
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // What to write next; the queue is not empty.
  std::string_view front() const { return std::string_view(pieces_.front()).substr(offset_); }
  void Consume(std::size_t bytes) {
    offset_ += bytes;
    size_ -= bytes;
    if (offset_ == pieces_.front().size()) {
      pieces_.pop_front();
      offset_ = 0;
    }
  }

 private:
  static constexpr std::size_t kJoined = 16 * 1024;

  std::deque<std::string> pieces_;
  std::size_t offset_ = 0;  // of the first piece
  std::size_t size_ = 0;
};

}  // namespace basalt::net
