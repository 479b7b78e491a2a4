// Events, of core/v1 and of events.k8s.io/v1.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "apiserver/kinds/builtin.h"
#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

// An event is where its object is; of objects without a namespace in "default".
void CheckEvent(const json::object& event, const std::string& /*path*/, FieldErrors& errors) {
  const json::object& involved =
      ObjectOf(event, event.contains("regarding") ? "regarding" : "involvedObject");
  const std::string_view ns = GetString(involved, {"namespace"});
  const std::string_view own = Namespace(event);
  const bool none = ns.empty() && (own == "default" || own == "kube-system");
  if (ns != own && !none) {
    errors.Invalid("involvedObject.namespace", ns, "does not match event.namespace");
  }
}

std::string_view SourceOf(const json::object& core_event) {
  const std::string_view component = GetString(core_event, {"source", "component"});
  return component.empty() ? GetString(core_event, {"reportingComponent"}) : component;
}

json::array EventCells(const json::object& core_event, Time now) {
  const std::string_view event_time = GetString(core_event, {"eventTime"});
  const auto since = [&](std::string_view field) {
    const std::string_view at = GetString(core_event, {field});
    return at.empty() && !event_time.empty() ? Since(event_time, now) : Since(at, now);
  };
  std::string first = since("firstTimestamp");
  std::string last = since("lastTimestamp");
  std::int64_t count = GetInt(core_event, {"count"});
  if (const json::object* series = FindObject(core_event, {"series"})) {
    last = Since(GetString(*series, {"lastObservedTime"}), now);
    count = GetInt(*series, {"count"});
  } else if (count == 0) {
    count = 1;
  }
  const json::object& involved = ObjectOf(core_event, "involvedObject");
  std::string target = ToLower(GetString(involved, {"kind"}));
  if (const std::string_view name = GetString(involved, {"name"}); !name.empty()) {
    target += fmt::format("/{}", name);
  }
  const std::string_view component = SourceOf(core_event);
  std::string_view host = GetString(core_event, {"source", "host"});
  if (host.empty()) host = GetString(core_event, {"reportingInstance"});
  const std::string source =
      host.empty() ? std::string(component) : fmt::format("{}, {}", component, host);
  std::string message(GetString(core_event, {"message"}));
  while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back()))) {
    message.pop_back();
  }
  return {json::string(last),
          json::string(GetString(core_event, {"type"})),
          json::string(GetString(core_event, {"reason"})),
          json::string(target),
          json::string(GetString(involved, {"fieldPath"})),
          json::string(source),
          json::string(message),
          json::string(first),
          count,
          json::string(Name(core_event))};
}

json::array NewEventCells(const json::object& event, Time now) {
  return EventCells(ToCoreEvent(event), now);
}

// Names of the same field in the two versions.
struct Renamed {
  std::string_view core;
  std::string_view events;
};
constexpr Renamed kRenamed[] = {{"involvedObject", "regarding"},
                                {"message", "note"},
                                {"source", "deprecatedSource"},
                                {"firstTimestamp", "deprecatedFirstTimestamp"},
                                {"lastTimestamp", "deprecatedLastTimestamp"},
                                {"count", "deprecatedCount"},
                                {"reportingComponent", "reportingController"}};

json::object Convert(const json::object& event, std::string_view api_version, bool to_core) {
  json::object result;
  for (const auto& [key, value] : event) {
    const std::string_view name = key;
    const auto renamed =
        std::ranges::find(kRenamed, name, to_core ? &Renamed::events : &Renamed::core);
    const bool same = renamed == std::end(kRenamed);
    result[same ? name : to_core ? renamed->core : renamed->events] = value;
  }
  result["apiVersion"] = api_version;
  return result;
}

}  // namespace

json::object ToCoreEvent(const json::object& event) { return Convert(event, "v1", true); }

json::object FromCoreEvent(const json::object& event) {
  json::object result = Convert(event, "events.k8s.io/v1", false);
  // Nothing but the old version has to say these where they are empty.
  for (const std::string_view field : {"reportingController", "reportingInstance"}) {
    if (GetString(result, {field}).empty()) result.erase(field);
  }
  return result;
}

std::span<const Hooks> EventHooks() {
  static constexpr Hooks kHooks[] = {
      {.type = "core.Event", .check = CheckEvent, .cells = EventCells},
      {.type = "events.Event", .check = CheckEvent, .cells = NewEventCells},
  };
  return kHooks;
}

}  // namespace basalt::apiserver
