#include "base/metrics_page.h"

#include <utility>

namespace basalt::metrics {

MetricsPage::MetricsPage(Loop& loop, const Registry& registry, Collect collect,
                         MetricsPageOptions options)
    : loop_(loop),
      registry_(registry),
      collect_(std::move(collect)),
      options_(options),
      patience_(loop) {}

bool MetricsPage::IsFresh() const {
  return text_ && loop_.Monotonic() - written_at_ < options_.max_age;
}

void MetricsPage::Read(Reader reader) {
  if (IsFresh()) return reader(text_);
  waiting_.push_back(std::move(reader));
  if (!collect_) return Answer();
  if (!patience_.running()) patience_.Start(options_.patience, [this] { Answer(); });
  if (std::exchange(collecting_, true)) return;
  collect_(scope_.Guard([this] {
    collecting_ = false;
    if (!waiting_.empty()) Answer();
  }));
}

void MetricsPage::Answer() {
  patience_.Stop();
  text_ = std::make_shared<const std::string>(registry_.Text());
  written_at_ = loop_.Monotonic();
  // A reader may ask again at once, or let go of the last owner of this page.
  const auto text = text_;
  for (Reader& reader : std::exchange(waiting_, {})) reader(text);
}

}  // namespace basalt::metrics
