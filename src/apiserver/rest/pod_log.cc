#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"

namespace basalt::apiserver {
namespace {

std::vector<std::string> ContainerNames(const json::object& pod, std::string_view list) {
  std::vector<std::string> names;
  for (const json::value& container : ListAt(pod, {"spec", list})) {
    names.emplace_back(GetString(AsObject(container), {"name"}));
  }
  return names;
}

ApiResult<std::string> ChooseContainer(const json::object& pod, std::string_view asked) {
  const std::vector<std::string> containers = ContainerNames(pod, "containers");
  const std::vector<std::string> init = ContainerNames(pod, "initContainers");
  const std::vector<std::string> ephemeral = ContainerNames(pod, "ephemeralContainers");
  if (!asked.empty()) {
    for (const auto* names : {&containers, &init, &ephemeral}) {
      if (std::ranges::find(*names, asked) != names->end()) return std::string(asked);
    }
    return Refuse(
        refusal::BadRequest(fmt::format("container {} is not valid for pod {}", asked, Name(pod))));
  }
  if (containers.size() == 1) return containers.front();
  std::string message = fmt::format(
      "a container name must be specified for pod {}, choose one of: "
      "[{}]",
      Name(pod), fmt::join(containers, " "));
  if (!init.empty())
    message += fmt::format(" or one of the init containers: [{}]", fmt::join(init, " "));
  return Refuse(refusal::BadRequest(std::move(message)));
}

}  // namespace

void HandlePodLog(const CallPtr& call) {
  const StoredPtr stored = call->FindOrRefuse();
  if (stored == nullptr) return;
  const json::object pod = call->kind->Load(*stored);
  const ApiResult<std::string> container = ChooseContainer(pod, call->query.Get("container"));
  if (!container) return call->Refuse(container.error());
  const std::string_view node = GetString(pod, {"spec", "nodeName"});
  std::string text;
  if (!node.empty()) {
    text = fmt::format(
        "basalt: pod {} is simulated: no program runs on node {}, and container {} logs nothing\n",
        call->path.name, node, *container);
  }
  call->Respond(
      {.status = 200, .content_type = "text/plain", .headers = {}, .body = std::move(text)});
}

}  // namespace basalt::apiserver
