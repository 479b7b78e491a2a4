#include "apiserver/kinds/idle_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace basalt::apiserver {

std::string IdleKindWarning(const KindInfo& kind) {
  static constexpr std::pair<std::string_view, std::string_view> kIdle[] = {
      {"batch", "CronJob"},
      {"networking.k8s.io", "NetworkPolicy"},
      {"autoscaling", "HorizontalPodAutoscaler"},
      {"networking.k8s.io", "Ingress"},
      {"storage.k8s.io", "VolumeAttachment"}};
  const std::pair<std::string_view, std::string_view> asked(kind.group, kind.kind);
  if (std::ranges::find(kIdle, asked) == std::end(kIdle)) return "";
  return fmt::format("no controller here acts on a {}: it is stored and nothing comes of it",
                     kind.kind);
}

}  // namespace basalt::apiserver
