#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "base/metrics.h"

namespace basalt::metrics {

struct MetricsPageOptions {
  // A text that is no older than this is good enough for every reader.
  Duration max_age = 1s;
  // How long readers wait for gauges that are brought up to date. The loop that keeps the gauges
  // may be busy for longer; then readers get the last ones.
  Duration patience = 100ms;
};

// What GET /metrics answers, for any number of readers at the price of one: gauges are collected
// and the text is written at most once in `max_age`. Owned by the server that answers, on that
// server's loop; the gauges may be kept on another loop. Loop thread only. `registry` must outlive
// it.
class MetricsPage {
 public:
  // Has gauges brought up to date, wherever they are kept, and then calls `done` on this page's
  // loop, at once or later.
  using Collect = std::function<void(Callback done)>;
  using Reader = std::move_only_function<void(std::shared_ptr<const std::string> text)>;

  // `collect` may be empty.
  MetricsPage(Loop& loop, const Registry& registry, Collect collect,
              MetricsPageOptions options = {});

  void Read(Reader reader);

 private:
  bool IsFresh() const;
  void Answer();

  Loop& loop_;
  const Registry& registry_;
  Collect collect_;
  MetricsPageOptions options_;
  std::shared_ptr<const std::string> text_;
  Duration written_at_{};
  bool collecting_ = false;
  std::vector<Reader> waiting_;
  Timer patience_;
  Scope scope_;
};

}  // namespace basalt::metrics
